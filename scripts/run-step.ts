import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { contained, endsWithParent } from './kill-with-parent.ts';

/** One command of a longer run. */
export interface RunStep {
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Whether everything that it starts ends with it. */
  readonly contain?: boolean;
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
export async function runStep(step: RunStep): Promise<StepResult> {
  const started = performance.now();
  console.log(`\n== ${step.name}`);
  const ok = await succeeds(start(step, 'inherit'));
  return { name: step.name, ok, seconds: (performance.now() - started) / 1000 };
}

/** Runs one command beside others: its output is shown in one piece when it has ended. */
export async function runAside(step: RunStep): Promise<StepResult> {
  const started = performance.now();
  console.log(`-- ${step.name} begins`);
  const child = start(step, 'pipe');
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => output.push(data));
  const ok = await succeeds(child);
  console.log(`\n== ${step.name}`);
  process.stdout.write(Buffer.concat(output));
  return { name: step.name, ok, seconds: (performance.now() - started) / 1000 };
}

/** The command never outlives this process. */
function start({ command, args, env, contain = false }: RunStep, output: 'inherit' | 'pipe'): ChildProcess {
  const argv = contain ? contained([command, ...args]) : endsWithParent([command, ...args], 'TERM');
  const [program = '', ...words] = argv;
  return spawn(program, words, {
    stdio: [output === 'inherit' ? 'inherit' : 'ignore', output, output],
    env: { ...process.env, ...env },
  });
}

async function succeeds(child: ChildProcess): Promise<boolean> {
  try {
    const [status] = await once(child, 'close');
    return status === 0;
  } catch (error) {
    console.error(`Cannot run "${child.spawnfile}": ${String(error)}`);
    return false;
  }
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
