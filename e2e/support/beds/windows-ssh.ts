/**
 * Windows nodes that are reached over SSH: Wine behind real sshd, whose forced command hands each command line to the
 * node's own cmd, elevated, as Windows' OpenSSH does for an administrator. What it cannot show: PowerShell as the default
 * shell (Wine's does nothing), and the rights that Windows' own server gives to uploaded files, which come here by Linux'
 * sftp-server.
 */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeOptions } from './bed-node.ts';
import { RUNTIME } from './checkout.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { startSshd, type SshdBed, type SshdMachine } from './sshd-bed.ts';
import { wineEnvironment } from './wine-base.ts';
import { startWindowsNode, type WindowsNode } from './wine-bed.ts';
import { STDIO_SHIM } from './wine-machine.ts';
import { toWindowsPath } from './windows-path.ts';

/** A Windows node and the port of this machine at which its SSH server is. */
export interface WindowsSshNode extends SshdMachine {
  readonly node: WindowsNode;
}

/** Windows nodes with their SSH servers. */
export interface WindowsSshBed {
  readonly sshd: SshdBed;
  readonly nodes: readonly WindowsSshNode[];
  stop(): Promise<void>;
}

const SESSION = join(import.meta.dirname, 'windows-side', 'session.cjs');

/** Switches so many Windows nodes on. */
export async function startWindowsSsh(
  count: number,
  options: NodeOptions,
  signal: AbortSignal,
): Promise<WindowsSshBed> {
  const sshd = await startSshd({ machines: count, shell: '/bin/sh "$HOME/session"' }, signal);
  const nodes: WindowsSshNode[] = [];
  const stop = async (): Promise<void> => {
    await sshd.stop();
    for (const { node } of nodes) await node.stop();
  };
  try {
    for (const machine of sshd.machines) {
      const node = await startWindowsNode(options, signal);
      nodes.push({ ...machine, node });
      await connect(machine, node);
    }
    return { sshd, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Uploads go through this link, since `C:` is a relative path to Linux' sftp-server, and begin in the home folder. */
async function connect({ home }: SshdMachine, node: WindowsNode): Promise<void> {
  const drive = node.hostPath('C:\\');
  await symlink(drive, join(home, 'C:'));
  await writeFile(join(home, 'session'), sessionScript(drive));
}

/** cmd keeps the quotes of a command line only if it comes from a file. */
function sessionScript(drive: string): string {
  const [, keeper = '', folder = ''] = /^\/proc\/(\d+)\/root(.*)\/windows\/drive_c\/?$/.exec(drive) ?? [];
  const enter = [
    'nsenter',
    `--target=${keeper}`,
    '--mount',
    '--uts',
    '--ipc',
    `--pid=/proc/${keeper}/ns/pid_for_children`,
  ];
  const env = cleanEnvironment({ ...wineEnvironment(), NODE_OPTIONS: `-r Z:${STDIO_SHIM}` });
  const session = ['wine', ...[RUNTIME.nodeWindows, SESSION, RUNTIME.koffiWindows].map(toWindowsPath)];
  const words = [...enter, 'chroot', folder, ...env, ...session].map((word) => `'${word}'`).join(' ');
  return `order=$(mktemp '${drive}/windows/temp/sshXXXXXX.cmd') || exit 1
printf '@echo off\\r\\n%s\\r\\n' "$SSH_ORIGINAL_COMMAND" > "$order"
cd /
${words} "C:\\\\windows\\\\temp\\\\\${order##*/}"
code=$?
rm -f "$order"
exit $code
`;
}
