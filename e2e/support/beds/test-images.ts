/** The images that pods of the tests run. They are made of Debian's packages, for there may be no registry to reach. */
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mustRun } from './command.ts';
import { makeImage } from './oci-image.ts';

const BUSYBOX = '/bin/busybox';
const PAUSE = '/usr/bin/catatonit';

/** It sleeps until it receives SIGTERM. */
export const TEST_IMAGE = 'fenestra.test/sleeper:1';
/** What holds a sandbox. */
export const PAUSE_IMAGE = 'fenestra.test/pause:1';
/** A small system, with two users, that sleeps unless it gets another command: two names of the same. */
export const POD_IMAGE = 'fenestra.test/busybox:1';
export const OTHER_POD_IMAGE = 'fenestra.test/busybox:other';

const SLEEP = ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do /bin/busybox sleep 1 & wait $!; done'];

/** Makes an archive with the sleeper, and returns its path. It needs the package busybox-static. */
export async function makeTestImage(folder: string, signal: AbortSignal): Promise<string> {
  return makeImage(folder, { names: [TEST_IMAGE], config: { Entrypoint: SLEEP }, fill: fillSleeper }, signal);
}

async function fillSleeper(root: string): Promise<void> {
  await mkdir(join(root, 'bin'));
  await copyFile(BUSYBOX, join(root, 'bin/busybox'));
  await copyFile(BUSYBOX, join(root, 'bin/sh'));
}

/** Makes an archive with what holds a sandbox. It needs the package catatonit. */
export async function makePauseImage(folder: string, signal: AbortSignal): Promise<string> {
  return makeImage(folder, { names: [PAUSE_IMAGE], config: { Entrypoint: ['/pause', '-P'] }, fill: fillPause }, signal);
}

async function fillPause(root: string): Promise<void> {
  await copyFile(PAUSE, join(root, 'pause'));
}

/** Makes an archive with the small system. It needs the package busybox-static. */
export async function makePodImage(folder: string, signal: AbortSignal): Promise<string> {
  const { stdout } = await mustRun([BUSYBOX, '--list'], {}, signal);
  const applets = stdout.split('\n').filter((name) => name !== '' && name !== 'busybox');
  const fill = async (root: string): Promise<void> => fillSystem(root, applets);
  return makeImage(folder, { names: [POD_IMAGE, OTHER_POD_IMAGE], config: { Cmd: SLEEP }, fill }, signal);
}

/** Makes an archive with an image that only takes space. It cannot be compressed. */
export async function makeFillerImage(
  folder: string,
  name: string,
  mebibytes: number,
  signal: AbortSignal,
): Promise<string> {
  const fill = async (root: string): Promise<void> => {
    await mkdir(join(root, 'bin'));
    await copyFile(BUSYBOX, join(root, 'bin/sh'));
    await writeFile(join(root, 'filler'), randomBytes(mebibytes * 2 ** 20));
  };
  return makeImage(folder, { names: [name], config: { Cmd: SLEEP }, fill }, signal);
}

async function fillSystem(root: string, applets: readonly string[]): Promise<void> {
  for (const folder of ['bin', 'etc', 'tmp', 'root']) await mkdir(join(root, folder));
  await chmod(join(root, 'tmp'), 0o1777);
  await copyFile(BUSYBOX, join(root, 'bin/busybox'));
  for (const applet of applets) await symlink('busybox', join(root, 'bin', applet));
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
}
