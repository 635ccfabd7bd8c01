import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type InstallersRecipe, installerNames, makeInstallers } from '../../build/packaging/make-installers.ts';
import { PACKAGING_PACKAGES, requirePackages } from '../../build/packaging/require-packages.ts';
import { makeExecutable } from '../../build/make-executable.ts';
import { buildStamp } from '../../build/stamp.ts';
import { KOFFI_WINDOWS, TARGETS } from '../../build/targets.ts';
import { CHECKOUT } from '../beds/checkout.ts';
import { timed } from '../beds/progress.ts';
import type { TestTarget } from '../releases/make-releases.ts';
import { laterVersion, OWN_VERSION } from '../releases/versions.ts';

/** The versions there are installers of: that under test, and one that it can be upgraded to. */
export type TestVersion = 'own' | 'later';

/** Installers of both versions for one system. */
export interface TestInstallers {
  fileOf(version: TestVersion, kind: 'setup' | 'msi' | 'deb'): string;
  remove(): Promise<void>;
}

/** What all installers here have: no signature, any time, and little compression. */
const RECIPE: Pick<InstallersRecipe, 'epoch' | 'addon' | 'license' | 'quick' | 'signer'> = {
  epoch: 1_700_000_000,
  addon: KOFFI_WINDOWS,
  license: join(CHECKOUT, 'LICENSE'),
  quick: true,
  signer: undefined,
};

/** Makes the installers, below the checkout, where every test machine can read them. */
export async function makeTestInstallers(target: TestTarget): Promise<TestInstallers> {
  await requirePackages(PACKAGING_PACKAGES);
  const folder = await mkdtemp(join(CHECKOUT, 'dist', 'test-installers-'));
  await timed(`making installers for ${target}`, async () => {
    await make(join(folder, 'own'), TEST_VERSIONS.own, { [target]: ownExecutable(target) });
    await make(join(folder, 'later'), TEST_VERSIONS.later, { [target]: await laterExecutable(target, folder) });
  });
  return {
    fileOf: (version, kind) => join(folder, version, fileName(TEST_VERSIONS[version], kind)),
    remove: async () => rm(folder, { recursive: true }),
  };
}

/** What the two versions are called. */
export const TEST_VERSIONS: Readonly<Record<TestVersion, string>> = { own: OWN_VERSION, later: laterVersion(1) };

function ownExecutable(target: TestTarget): string {
  return join(CHECKOUT, 'dist', target, target === 'windows-x64' ? 'keadm.exe' : 'keadm');
}

async function laterExecutable(name: TestTarget, folder: string): Promise<string> {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) throw new Error(`There is no target "${name}"`);
  return makeExecutable(target, join(folder, 'later'), { stamp: { ...buildStamp(), version: TEST_VERSIONS.later } });
}

async function make(folder: string, version: string, executables: InstallersRecipe['executables']): Promise<void> {
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  await makeInstallers({ ...RECIPE, version, executables, folder, work });
  await rm(work, { recursive: true });
}

function fileName(version: string, kind: 'setup' | 'msi' | 'deb'): string {
  const names = installerNames(version);
  return kind === 'deb' ? names.deb('linux-x64') : names[kind];
}
