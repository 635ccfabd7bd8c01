import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { say } from './say.ts';

/** What a program of this machine answered. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const Answer = z.looseObject({ outcome: z.string().optional() });

/** Runs a program on this very machine and waits for its end. */
export async function runHere(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { exitCode: Number(exitCode), stdout, stderr };
}

/** Runs keadm, which has to succeed, and returns its answer as data. */
export async function keadmHere(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<z.infer<typeof Answer>> {
  say(`  keadm ${args.join(' ')}`);
  const { exitCode, stdout, stderr } = await runHere(program, [...args, '--output', 'json'], env);
  if (exitCode !== 0) throw new Error(`"keadm ${args.join(' ')}" ended with ${exitCode}: ${stdout}${stderr}`);
  return Answer.parse(JSON.parse(stdout));
}
