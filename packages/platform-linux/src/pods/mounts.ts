import { readFile, realpath } from 'node:fs/promises';
import { release } from 'node:os';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { MemoryFolder } from '@fenestra/platform';
import { runCommand } from '../run-command.ts';

/** The mounts at a folder and in it, the outermost first. */
async function mountsBelow(folder: string): Promise<readonly string[]> {
  const place = await realPlace(folder);
  if (place === undefined) return [];
  const table = await readFile('/proc/self/mountinfo', 'utf8');
  const points = table.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  const paths = points.map((point) =>
    point.replaceAll(/\\(\d{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))),
  );
  return paths.filter((path) => path === place || path.startsWith(`${place}/`));
}

/** Whether something is mounted at a path itself. */
export async function isMounted(path: string): Promise<boolean> {
  const place = await realPlace(path);
  return place !== undefined && (await mountsBelow(place)).includes(place);
}

/** Mounts a file system in memory. */
export async function mountMemory({ path, mode, gid, sizeBytes }: MemoryFolder, signal: AbortSignal): Promise<void> {
  const options = [
    'nodev',
    'nosuid',
    `mode=0${mode.toString(8)}`,
    ...(gid === undefined ? [] : [`gid=${gid}`]),
    ...(sizeBytes === undefined ? [] : [`size=${sizeBytes}`]),
    ...(canStayOutOfSwap(release()) ? ['noswap'] : []),
  ];
  await mustRun('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', path], signal);
}

/** Mounts what an open handle of this process is of. Its path is not looked up again: it may lead elsewhere by now. */
export async function bindOpened(descriptor: number, target: string, signal: AbortSignal): Promise<void> {
  const opened = `/proc/${process.pid}/fd/${descriptor}`;
  await mustRun('mount', ['--no-canonicalize', '--bind', opened, target], signal);
}

/** Unmounts everything at a folder and in it. What is in use goes as soon as nothing uses it any more. */
export async function unmountBelow(folder: string, signal: AbortSignal): Promise<void> {
  for (const mount of (await mountsBelow(folder)).toReversed()) {
    await mustRun('umount', ['--no-canonicalize', '--lazy', mount], signal);
  }
  if ((await mountsBelow(folder)).length > 0) throw stillMounted(folder);
}

/** From Linux 6.4 on, secrets in memory need not get onto the disk by way of swap. */
export function canStayOutOfSwap(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 4);
}

/** The table of mounts knows no links. */
async function realPlace(path: string): Promise<string | undefined> {
  return realpath(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

async function mustRun(command: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const { exitCode, stderr } = await runCommand(command, args, signal);
  if (exitCode === 0) return;
  signal.throwIfAborted();
  throw new OperatorError('COMMAND_FAILED', `Cannot run "${command} ${args.join(' ')}": ${stderr.trim()}`, {
    hint: 'Check that util-linux is installed and that the agent runs as root.',
  });
}

function stillMounted(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot remove "${path}": something is still mounted in it`, {
    hint: 'Look for the process that uses it, with "fuser -m" for example.',
  });
}
