import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { versionTag } from '@fenestra/contracts';
import { sourceDigest } from '../../../build/source-digest.ts';
import { CHECKOUT } from '../beds/checkout.ts';
import { withFileLock } from '../beds/file-lock.ts';
import { timed } from '../beds/progress.ts';
import type { KeadmMachine } from '../machines/keadm-machine.ts';
import { KEY_FILE, makeReleases, RELEASES, type TestTarget } from './make-releases.ts';

/** Which of the releases for the tests. */
export type ReleaseName = keyof typeof RELEASES;

/** Below the checkout, which every test machine can read. */
const KEPT = join(CHECKOUT, 'dist', 'test-releases');
const LOCK = 'lock';
const MADE_BY = ['e2e/support/releases/*.ts'];

/** The flags by which an administrator of this machine names a release; all releases are made first if need be. */
export async function releaseFlags(machine: KeadmMachine, name: ReleaseName): Promise<readonly string[]> {
  const folder = await testReleases(machine.target);
  const at = (file: string): string => machine.nameOf(join(folder, file));
  return ['--version', versionTag(RELEASES[name].version), '--from', at(name), '--trust-key', at(KEY_FILE)];
}

/** The version of a release as its agent says it. */
export function versionOf(name: ReleaseName): string {
  return RELEASES[name].version;
}

/** The folder with all releases for one system; made once for each state of the sources, which takes a minute. */
export async function testReleases(target: TestTarget): Promise<string> {
  const folder = join(KEPT, sourceDigest(MADE_BY), target);
  if (existsSync(folder)) return folder;
  await mkdir(KEPT, { recursive: true });
  // Suites that run side by side would make them twice.
  await withFileLock(join(KEPT, LOCK), async () => makeOnce(target, folder), new AbortController().signal);
  return folder;
}

async function makeOnce(target: TestTarget, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await forgetAllBut(sourceDigest(MADE_BY));
  const draft = join(KEPT, 'draft');
  await timed(`making test releases for ${target}`, async () => makeReleases(target, draft));
  await mkdir(dirname(folder), { recursive: true });
  await rename(draft, folder);
}

/** A set takes most of a gigabyte, and only the sources as they are now are tested. */
async function forgetAllBut(digest: string): Promise<void> {
  for (const entry of await readdir(KEPT)) {
    if (entry !== LOCK && entry !== digest) await rm(join(KEPT, entry), { recursive: true });
  }
}
