import { spawnSync } from 'node:child_process';

/** One command of a longer run. */
export interface RunStep {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** How it went. */
export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** Runs one command with its output shown, and says how it went. */
export function runStep({ name, command, args }: RunStep): StepResult {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) console.error(`Cannot run "${command}": ${error.message}`);
  return { name, ok: status === 0, seconds: (performance.now() - started) / 1000 };
}

/** A table of what ran. */
export function resultsText(results: readonly StepResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  return results
    .map(({ name, ok, seconds }) => `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${seconds.toFixed(1)} s`)
    .join('\n');
}
