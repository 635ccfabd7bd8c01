import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostTarget, ourExecutable } from './executables.ts';
import { median, type Benchmark, type Ratio } from './ratio.ts';

const RUNS = 20;
const READY_LIMIT_MS = 10_000;
const SETTLE_MS = 2_000;

/** How long a command takes to begin, and what an idle service costs, against the bare runtime it is made of. */
export const startup: Benchmark = {
  name: 'startup',
  measure: async () => [measureVersion(), await measureIdleMemory()],
};

/** Alternating runs, so that both meet the same machine. */
function measureVersion(): Ratio {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    ours.push(milliseconds(ourExecutable(), ['version']));
    theirs.push(milliseconds(hostTarget().runtime, ['-e', 'console.log("a line")']));
  }
  return {
    name: 'keadm version',
    unit: 'ms, median of 20',
    ours: median(ours),
    peer: 'the bare Node.js runtime printing a line',
    theirs: median(theirs),
    bar: 2,
  };
}

function milliseconds(command: string, args: readonly string[]): number {
  const started = performance.now();
  execFileSync(command, args);
  return performance.now() - started;
}

/** How much of a program file is resident depends on how it was written, so both are first copied as `keadm join` copies. */
async function measureIdleMemory(): Promise<Ratio> {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-bench-'));
  const [ours, runtime] = [join(folder, 'edgecore'), join(folder, 'node')];
  await copyProgram(ourExecutable(), ours);
  await copyProgram(hostTarget().runtime, runtime);
  const agent = spawn(ours, ['edgecore', '--state-folder', folder], { stdio: 'ignore' });
  const empty = spawn(runtime, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  try {
    await waitForFile(join(folder, 'agent-status.json'));
    await sleep(SETTLE_MS);
    return {
      name: 'idle service host',
      unit: 'MB resident',
      ours: residentMegabytes(agent),
      peer: 'an empty Node.js process from a copy of the runtime',
      theirs: residentMegabytes(empty),
      bar: 1.5,
    };
  } finally {
    agent.kill('SIGKILL');
    empty.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function copyProgram(from: string, to: string): Promise<void> {
  const chunk = { highWaterMark: 1024 * 1024 };
  await pipeline(createReadStream(from, chunk), createWriteStream(to, { ...chunk, mode: 0o755 }));
}

async function waitForFile(path: string): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!existsSync(path)) {
    if (performance.now() > deadline) throw new Error(`"${path}" did not appear in time`);
    await sleep(50);
  }
}

function residentMegabytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
