import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { ContainerStatus } from '@fenestra/cri/messages';
import { logTextOf } from '@fenestra/cri/logs';
import { ANNOTATIONS, containerPathOf, terminationMessage, type TextMap } from '@fenestra/pods';

const FILE_BYTES = 4096;
/** Enough for the longest line that the runtime writes, and for the lines that can become a message. */
const LOG_BYTES = 40 * 1024;
/** The container decides what is at the path of a file that one of its volumes shows: no link, nothing to wait for. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** The status of an instance, as far as its last word depends on it. */
export type EndedStatus = Pick<ContainerStatus, 'exitCode' | 'logPath' | 'message'> & {
  readonly mounts: readonly Pick<ContainerStatus['mounts'][number], 'containerPath' | 'hostPath'>[];
};

/** What an instance that ended left as its last word, after what the runtime says about its end. */
export async function lastWordOf(status: EndedStatus, annotations: TextMap): Promise<string> {
  const path = annotations[ANNOTATIONS.terminationMessagePath];
  const policy = { terminationMessagePolicy: annotations[ANNOTATIONS.terminationMessagePolicy] ?? 'File' };
  const mount = path && status.mounts.find(({ containerPath }) => isAt(containerPath, path));
  const file = mount ? await readPart(mount.hostPath, 'start', FILE_BYTES) : Buffer.alloc(0);
  const log = file.length === 0 && status.exitCode !== 0 ? await logTail(status.logPath) : '';
  const word = terminationMessage(policy, status.exitCode, file, log);
  return [status.message, word].filter((part) => part !== '').join(': ');
}

function isAt(containerPath: string, path: string): boolean {
  return containerPathOf(path, 'linux') === containerPath || containerPathOf(path, 'windows') === containerPath;
}

/** What the container wrote last. The first line that is found may have lost its beginning: then it is no entry. */
async function logTail(path: string): Promise<string> {
  const bytes = await readPart(path, 'end', LOG_BYTES);
  return logTextOf(bytes).toString('utf8');
}

/** A file that cannot be read counts as empty: how a container ended is known without it. */
async function readPart(path: string, from: 'start' | 'end', most: number): Promise<Buffer> {
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat({ bigint: true });
    // Windows has no flag that refuses a link: what was opened has to be what is at the path itself.
    const { ino } = await lstat(path, { bigint: true });
    if (!found.isFile() || found.ino !== ino) return Buffer.alloc(0);
    const position = from === 'start' ? 0 : Math.max(0, Number(found.size) - most);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, position);
    return buffer.subarray(0, bytesRead);
  } catch {
    return Buffer.alloc(0);
  }
}
