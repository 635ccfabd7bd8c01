import * as z from 'zod';
import type { KeadmMachine } from '../machines/keadm-machine.ts';

const Failure = z.object({ code: z.string(), message: z.string(), hint: z.string() });
const Data = z.looseObject({ outcome: z.string().optional(), error: Failure.optional() });

/** What keadm answered. */
export interface Answer {
  readonly exitCode: number;
  readonly outcome: string | undefined;
  readonly error: z.infer<typeof Failure> | undefined;
  /** Everything it said, to people and to programs. */
  readonly said: string;
}

/** Runs keadm and reads its answer, whatever it is. */
export async function ask(
  machine: KeadmMachine,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { exitCode, stdout, stderr } = await machine.keadm([...args, '--output', 'json'], env);
  const { outcome, error } = Data.catch({}).parse(tryParse(stdout));
  return { exitCode, outcome, error, said: `${stdout}${stderr}` };
}

/** Tests that look at the outcome themselves need no time to settle. */
export const AT_ONCE = ['--settle', '0s'];

/** Runs keadm, which has to succeed. */
export async function mustDo(
  machine: KeadmMachine,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return succeeded(await ask(machine, args, env));
}

/** Throws with all that keadm said unless it succeeded. */
export function succeeded(answer: Answer): Answer {
  if (answer.exitCode === 0) return answer;
  throw new Error(`keadm ended with ${answer.exitCode}: ${answer.said}`);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
