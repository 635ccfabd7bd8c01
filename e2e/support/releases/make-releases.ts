import { generateKeyPairSync } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versionTag } from '@fenestra/contracts';
import { makeExecutable } from '../../../build/make-executable.ts';
import { buildStamp } from '../../../build/stamp.ts';
import { type Target, TARGETS } from '../../../build/targets.ts';
import { corruptCode, flipByte, truncateHalf } from './damage.ts';
import { laterVersion } from './versions.ts';
import { type Damage, writeRelease } from './write-release.ts';

/** The systems there are test machines of. */
export type TestTarget = 'linux-x64' | 'windows-x64';

interface ReleaseRecipe {
  readonly version: string;
  readonly executable: keyof Executables;
  readonly damage?: Damage;
}

/** The releases for the tests. Only the first is one that a node should ever run. */
export const RELEASES = {
  good: { version: laterVersion(1), executable: 'good' },
  misbehaving: { version: laterVersion(2), executable: 'misbehaving' },
  truncated: { version: laterVersion(2), executable: 'misbehaving', damage: { after: truncateHalf } },
  flipped: { version: laterVersion(2), executable: 'misbehaving', damage: { after: flipByte } },
  /** Signed as it is, and for another processor or system than its manifest says. */
  foreign: { version: laterVersion(2), executable: 'foreign' },
  /** Signed as it is, broken as it is. */
  corrupted: { version: laterVersion(2), executable: 'good', damage: { before: corruptCode } },
} as const satisfies Readonly<Record<string, ReleaseRecipe>>;

/** The public key that all releases are to be trusted by, in the folder they are in. */
export const KEY_FILE = 'trust-key.pem';

const MISBEHAVING = join(import.meta.dirname, 'misbehaving-agent.ts');

/** Makes every release for one system, each in a folder of its name. */
export async function makeReleases(target: TestTarget, folder: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signKey = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, KEY_FILE), publicKey.export({ type: 'spki', format: 'pem' }));
  const work = join(folder, 'work');
  const executables = await makeExecutables(target, work);
  const os = target === 'windows-x64' ? 'windows' : 'linux';
  const recipes: readonly [string, ReleaseRecipe][] = Object.entries(RELEASES);
  for (const [name, { version, executable, damage }] of recipes) {
    await writeRelease(
      join(folder, name),
      { version: versionTag(version), os, executable: executables[executable], signKey },
      damage,
    );
  }
  await rm(work, { recursive: true });
}

interface Executables {
  readonly good: string;
  readonly misbehaving: string;
  readonly foreign: string;
}

async function makeExecutables(name: TestTarget, work: string): Promise<Executables> {
  const target = targetOf(name);
  const good = { stamp: stampOf('good') };
  const misbehaving = { stamp: stampOf('misbehaving'), entry: MISBEHAVING };
  const foreign = targetOf(name === 'windows-x64' ? 'linux-x64' : 'linux-arm64');
  return {
    good: await makeExecutable(target, join(work, 'good'), good),
    misbehaving: await makeExecutable(target, join(work, 'misbehaving'), misbehaving),
    foreign: await makeExecutable(foreign, join(work, 'foreign')),
  };
}

function stampOf(release: keyof typeof RELEASES): ReturnType<typeof buildStamp> {
  return { ...buildStamp(), version: RELEASES[release].version };
}

function targetOf(name: Target['name']): Target {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) throw new Error(`There is no target "${name}"`);
  return target;
}
