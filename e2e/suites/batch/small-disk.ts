import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SshdMachine } from '../../support/beds/sshd-bed.ts';

const SIZE = '40m';

/** A disk that a machine sees in place of its home folder, with little room. It is there for all sessions. */
export interface SmallDisk extends AsyncDisposable {
  /** What a session on the machine runs; `prepare` comes before its command, in the same shell. */
  session(prepare?: string): string;
  /** The files that are on it now. */
  files(): Promise<readonly string[]>;
}

/** Makes the disk in its own mount namespace, which a process holds until the disk is disposed of. */
export async function openSmallDisk({ home }: SshdMachine): Promise<SmallDisk> {
  const hold = `mount -t tmpfs -o size=${SIZE} tmpfs "$1" && echo ready && exec sleep infinity`;
  const argv = ['--pdeathsig', 'KILL', 'unshare', '--mount', 'sh', '-c', hold, 'sh', home];
  const holder = spawn('setpriv', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  return {
    session: (prepare = ':') => `exec nsenter --mount --target ${holder.pid} sh -c '
cd "$HOME" && ${prepare}
exec sh -c "$SSH_ORIGINAL_COMMAND"'
`,
    async files() {
      const entries = await readdir(join(`/proc/${holder.pid}/root`, home), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    async [Symbol.asyncDispose]() {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    },
  };
}
