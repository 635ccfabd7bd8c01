import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** One command of a longer run. */
export interface RunStep {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** What suites on whole systems run: executables of the sources as they are. */
export const BUILD: RunStep = { name: 'build', command: 'node', args: ['build/build.ts', 'linux-x64', 'windows-x64'] };

/** How it went. */
export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** Runs one command with its output shown, and says how it went. */
export function runStep({ name, command, args, env }: RunStep): StepResult {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error !== undefined) console.error(`Cannot run "${command}": ${error.message}`);
  return { name, ok: status === 0, seconds: (performance.now() - started) / 1000 };
}

/** Runs one command beside others: its output is shown in one piece when it has ended. */
export async function runAside({ name, command, args, env }: RunStep): Promise<StepResult> {
  const started = performance.now();
  console.log(`-- ${name} begins`);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data));
  const [status] = await once(child, 'close');
  console.log(`\n== ${name}`);
  process.stdout.write(Buffer.concat(output));
  return { name, ok: status === 0, seconds: (performance.now() - started) / 1000 };
}

/** Does this to every item, so many at a time; the results are in the items' order. */
export async function inLanes<T, R>(lanes: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = [...items.entries()];
  const results: R[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** A table of what ran. */
export function resultsText(results: readonly StepResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  return results
    .map(({ name, ok, seconds }) => `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${seconds.toFixed(1)} s`)
    .join('\n');
}
