import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Taken } from './methods.ts';
import { processorSeconds } from './processor-time.ts';
import { watchMemory } from './watch-memory.ts';

/** A controller that has ended well. */
export interface ControllerEnd extends Taken {
  readonly output: string;
}

/** Runs the controller of a method as its own process, on the clock from its start until it ends. */
export async function runController(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ControllerEnd> {
  const [program = '', ...args] = argv;
  const busyBefore = processorSeconds();
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const most = watchMemory(child.pid ?? 0);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = await once(child, 'close');
  const taken = {
    seconds: (performance.now() - started) / 1000,
    megabytes: most(),
    processorSeconds: processorSeconds() - busyBefore,
  };
  if (code !== 0) throw new Error(`"${argv.join(' ')}" ended with ${code}: ${output.slice(-3000)}`);
  return { ...taken, output };
}

/** The same for a program of this folder. It is given its order as one argument. */
export async function runMain(main: string, order: unknown): Promise<ControllerEnd> {
  return runController([process.execPath, main, JSON.stringify(order)]);
}
