import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from './edgecore/process-memory.ts';
import { hostTarget, ourExecutable } from './executables.ts';
import { median, type Benchmark, type Ratio } from './ratio.ts';

const RUNS = 20;
const READY_LIMIT_MS = 10_000;
const SETTLE_MS = 2_000;
/** An empty process needs 8 MB; the rest is for the code of the agent. */
const PRIVATE_LIMIT_MB = 25;

/** How long a command takes to begin, and what an idle service costs, against the bare runtime it is made of. */
export const startup: Benchmark = {
  name: 'startup',
  measure: async () => [measureVersion(), ...(await measureIdleMemory())],
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

/** Both are copied first, so that neither shares pages of its file with another process. */
async function measureIdleMemory(): Promise<readonly Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-bench-'));
  const [ours, runtime] = [join(folder, 'edgecore'), join(folder, 'node')];
  await copyFile(ourExecutable(), ours);
  await copyFile(hostTarget().runtime, runtime);
  const agent = spawn(ours, ['edgecore', '--state-folder', folder], { stdio: 'ignore' });
  const empty = spawn(runtime, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
  try {
    await waitForFile(join(folder, 'agent-status.json'));
    await sleep(SETTLE_MS);
    const [idle, bare] = [memoryOf(agent.pid), memoryOf(empty.pid)];
    const name = 'idle memory, without a cloud';
    const peer = 'an empty Node.js process from a copy of the runtime';
    return [
      {
        name,
        unit: 'MB private',
        ours: idle.privateMegabytes,
        peer: `the limit (${peer}: ${bare.privateMegabytes.toFixed(1)} MB)`,
        theirs: PRIVATE_LIMIT_MB,
        bar: 1,
      },
      { name, unit: 'MB PSS', ours: idle.pssMegabytes, peer, theirs: bare.pssMegabytes, bar: 1.75 },
    ];
  } finally {
    agent.kill('SIGKILL');
    empty.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function waitForFile(path: string): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!existsSync(path)) {
    if (performance.now() > deadline) throw new Error(`"${path}" did not appear in time`);
    await sleep(50);
  }
}
