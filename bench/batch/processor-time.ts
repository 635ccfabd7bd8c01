import { readFileSync } from 'node:fs';
import { childrenOf } from '../../e2e/beds/process-tree.ts';

const TICKS_PER_SECOND = 100;

/**
 * The processor time of everything that this process has started, in seconds: controllers and targets together, because
 * the servers of the targets are started here too. What has left its parent, as Ansible's connections do, is not in it.
 */
export function processorSeconds(): number {
  const { ended } = ticksOf(process.pid);
  return (ended + childrenOf(process.pid).reduce((sum, child) => sum + treeTicks(child), 0)) / TICKS_PER_SECOND;
}

function treeTicks(pid: number): number {
  const { own, ended } = ticksOf(pid);
  return own + ended + childrenOf(pid).reduce((sum, child) => sum + treeTicks(child), 0);
}

/** Of the process itself, and of those below it that have ended. */
function ticksOf(pid: number): { readonly own: number; readonly ended: number } {
  try {
    // The name, which may hold blanks, is in parentheses; what counts are the fields 14 to 17.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
    return { own: user + system, ended: childrenUser + childrenSystem };
  } catch {
    return { own: 0, ended: 0 };
  }
}
