import { readFile } from 'node:fs/promises';
import type { MemoryFacts, ProcessFacts } from '@fenestra/platform';

/**
 * The memory of the machine by the kernel's own numbers. Control groups may have none: the memory controller can be off,
 * and in a namespace the topmost group counts only what is in it.
 */
export async function readMemory(): Promise<MemoryFacts> {
  return memoryFacts(await readFile('/proc/meminfo', 'utf8'));
}

/** What a kubelet counts as available: everything but the working set, which is what is used without idle caches. */
export function memoryFacts(meminfo: string): MemoryFacts {
  const lines = meminfo.split('\n').map((line) => line.split(/: +| kB/));
  const bytesOf = (name: string): number => 1024 * Number(lines.find(([each]) => each === name)?.[1] ?? 0);
  return { totalBytes: bytesOf('MemTotal'), availableBytes: bytesOf('MemFree') + bytesOf('Inactive(file)') };
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
