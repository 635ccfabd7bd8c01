import { readlink, stat, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { pathExists, digestOf } from '@fenestra/platform';
import type { StepPorts } from '@fenestra/session';
import { previousVersion } from '../replaced-files.ts';
import { placePrivately, removePrivately } from '../write-file.ts';

/** What stood where the link to the current certificate goes: nothing, a link to elsewhere, or a file. */
export const BeforeCurrent = z.object({ target: z.nullable(z.string()), digest: z.nullable(z.string()) });
export type BeforeCurrent = z.infer<typeof BeforeCurrent>;

type FilePorts = Pick<StepPorts, 'files' | 'access'>;

/** The file that the kubelet looks for its certificate and key in. */
export function currentPair(certificatesFolder: string): string {
  return join(certificatesFolder, 'kubelet-client-current.pem');
}

/** The file that a certificate of this moment is kept in, named as the kubelet names them: by local time. */
export function pairOf(certificatesFolder: string, now: Date): string {
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()];
  const stamp = [...date, ...time].map((part) => String(part).padStart(2, '0')).join('-');
  return join(certificatesFolder, `kubelet-client-${stamp}.pem`);
}

/** Looks at the place of the link before anything happens to it. */
export async function lookAtCurrent(path: string): Promise<BeforeCurrent> {
  if (!(await pathExists(path))) return { target: null, digest: null };
  const target = await linkTarget(path);
  return target === undefined ? { target: null, digest: await digestOf(path) } : { target, digest: null };
}

/**
 * Has the link lead to a certificate. Where the system makes no links it becomes a copy: `copied`. Some systems only
 * pretend to have made one, so it is looked at afterwards.
 */
export async function pointCurrentAt(
  pair: string,
  content: string,
  { path, before }: { readonly path: string; readonly before: BeforeCurrent },
  ports: FilePorts,
  signal: AbortSignal,
): Promise<'linked' | 'copied'> {
  await setAside(path, before, ports);
  await unlinkIfAny(path);
  // Why it fails does not matter: the copy below works, or says it in our words.
  await symlink(pair, path, 'file').catch(() => undefined);
  const linked = await isThere(path);
  if (!linked) await placePrivately(path, content, ports, signal);
  await ports.files.syncFolder(dirname(path));
  return linked ? 'linked' : 'copied';
}

/** Makes the place of the link what it was. */
export async function putCurrentBack(
  path: string,
  before: BeforeCurrent,
  ports: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  if (before.digest !== null) return moveBack(path, before.digest, ports, signal);
  if (before.target !== null && (await linkTarget(path)) === before.target) return;
  await removePrivately(path, ports, signal);
  if (before.target !== null) await symlink(before.target, path, 'file').catch(refuse(path));
}

async function setAside(path: string, { digest }: BeforeCurrent, { files }: FilePorts): Promise<void> {
  const isOther = digest !== null && (await linkTarget(path)) === undefined && (await pathExists(path));
  if (isOther && (await digestOf(path)) === digest) await files.move(path, previousVersion(path, digest));
}

async function moveBack(
  path: string,
  digest: string,
  ports: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  const previous = previousVersion(path, digest);
  if (!(await pathExists(previous))) return;
  await removePrivately(path, ports, signal);
  await ports.files.move(previous, path);
}

async function unlinkIfAny(path: string): Promise<void> {
  await unlink(path).catch((cause: unknown) => {
    if (systemCodeOf(cause) !== 'ENOENT') throw fileError(cause, `replace "${path}"`);
  });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function linkTarget(path: string): Promise<string | undefined> {
  return readlink(path).catch(() => undefined);
}

function refuse(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError(cause, `put "${path}" back`);
  };
}
