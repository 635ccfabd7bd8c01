import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { MemoryFacts, ProcessFacts } from '@fenestra/platform';

const SEPARATE_GROUP = '/sys/fs/cgroup/memory';
const UNIFIED_STAT = '/sys/fs/cgroup/memory.stat';

/** What a kubelet counts as available: everything but the working set, which is what is used without idle caches. */
export async function readMemory(): Promise<MemoryFacts> {
  const totalBytes = totalmem();
  const workingSet = (await workingSetOfSeparate()) ?? (await workingSetOfUnified());
  return { totalBytes, availableBytes: Math.max(0, totalBytes - workingSet) };
}

/** With the first version of control groups, the topmost one counts what all use. */
async function workingSetOfSeparate(): Promise<number | undefined> {
  const usage = await readOrEmpty(`${SEPARATE_GROUP}/memory.usage_in_bytes`);
  if (usage === '') return undefined;
  return Number(usage) - valueOf(await readOrEmpty(`${SEPARATE_GROUP}/memory.stat`), 'total_inactive_file');
}

/** With the second version, the topmost one has no usage, so the kernel's own numbers are used. */
async function workingSetOfUnified(): Promise<number> {
  const memory = await readFile('/proc/meminfo', 'utf8');
  const usage = (valueOf(memory, 'MemTotal:') - valueOf(memory, 'MemFree:')) * 1024;
  return usage - valueOf(await readOrEmpty(UNIFIED_STAT), 'inactive_file');
}

/** How many processes and threads the kernel allows, and how many there are. */
export async function readProcesses(): Promise<ProcessFacts> {
  const limits = await Promise.all(
    ['pid_max', 'threads-max'].map(async (name) => Number(await readFile(`/proc/sys/kernel/${name}`, 'utf8'))),
  );
  // The fourth field is "runnable/all".
  const [, running = '0'] = /\/(\d+) /.exec(await readFile('/proc/loadavg', 'utf8')) ?? [];
  return { limit: Math.min(...limits), running: Number(running) };
}

/** The number after a name, in a text with a line for each; zero without it. */
function valueOf(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length).trim().split(' ')[0] ?? 0);
}

async function readOrEmpty(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim();
}
