import { readFileSync } from 'node:fs';
import { childrenOf } from '../../e2e/support/beds/process-tree.ts';

const LOOK_MS = 250;

/** Looks at the memory of a process and all below it from time to time; tells the most that was seen, in MB. */
export function watchMemory(pid: number): () => number {
  let most = 0;
  const look = (): void => void (most = Math.max(most, treeMegabytes(pid)));
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** The proportional set size, in which pages that several processes share count once. */
function treeMegabytes(pid: number): number {
  return megabytes(pid) + childrenOf(pid).reduce((sum, child) => sum + treeMegabytes(child), 0);
}

function megabytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
