import { readFileSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import type { ProcessIdentity } from '@fenestra/platform';
import type { FarEndPorts } from '../job-folder.ts';

/** The part of this machine that the far end uses, for tests of it: real processes and real files. */
export function testPorts(ownCommand: readonly string[], emit: (line: string) => void): FarEndPorts {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return {
    host: {
      self: async () => ({ pid: process.pid, startedAt: startOf(process.pid) ?? '', bootId }),
      isAlive: async (other: ProcessIdentity) => other.bootId === bootId && startOf(other.pid) === other.startedAt,
    },
    os: 'linux',
    files: {
      async replace(path, content) {
        await writeFile(`${path}.new`, content, { mode: 0o600 });
        await rename(`${path}.new`, path);
      },
      move: rename,
      removeTree: async (path) => rm(path, { recursive: true, force: true }),
    },
    access: { makePrivate: async (path) => chmod(path, 0o700) },
    now: () => new Date(),
    ownCommand,
    emit,
    unheard: () => false,
  };
}

/** `undefined` for a process that is gone, or is only remembered. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
