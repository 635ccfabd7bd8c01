import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeSigner } from '../../../build/packaging/authenticode.ts';
import { type InstallersRecipe, installerNames, makeInstallers } from '../../../build/packaging/make-installers.ts';
import { PACKAGING_PACKAGES, requirePackages } from '../../../build/packaging/require-packages.ts';
import type { Variant } from '../../../build/bundle-program.ts';
import { makeExecutable } from '../../../build/make-executable.ts';
import { buildStamp } from '../../../build/stamp.ts';
import { KOFFI_WINDOWS, TARGETS } from '../../../build/targets.ts';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { timed } from '../../support/beds/progress.ts';
import type { TestTarget } from '../../support/releases/make-releases.ts';
import { laterVersion, OWN_VERSION } from '../../support/releases/versions.ts';
import { makeTestSigner } from './test-signer.ts';

/** The versions there are installers of: that under test, one that it can be upgraded to, and one that is not fit for use. */
export type TestVersion = 'own' | 'later' | 'broken';

/** Installers of all versions for one system. */
export interface TestInstallers {
  /** Who has signed those that can be signed. */
  readonly signer: CodeSigner;
  fileOf(version: TestVersion, kind: 'setup' | 'msi' | 'deb'): string;
  remove(): Promise<void>;
}

/** What all installers here have: any time, and little compression. */
const RECIPE: Pick<InstallersRecipe, 'epoch' | 'addon' | 'license' | 'quick'> = {
  epoch: 1_700_000_000,
  addon: KOFFI_WINDOWS,
  license: join(CHECKOUT, 'LICENSE'),
  quick: true,
};

const BROKEN = join(import.meta.dirname, 'broken-agent.ts');

/** Makes the installers, below the checkout, where every test machine can read them. */
export async function makeTestInstallers(target: TestTarget): Promise<TestInstallers> {
  await requirePackages([...PACKAGING_PACKAGES, 'osslsigncode', 'openssl']);
  const folder = await mkdtemp(join(CHECKOUT, 'dist', 'test-installers-'));
  const signer = await makeTestSigner(folder);
  const pack = async (version: TestVersion, executable: string): Promise<void> =>
    make(join(folder, version), { version: TEST_VERSIONS[version], executables: { [target]: executable }, signer });
  await timed(`making installers for ${target}`, async () => {
    await pack('own', ownExecutable(target));
    await pack('later', await makeProgram(target, join(folder, 'later'), { stamp: stampOf('later') }));
    await pack(
      'broken',
      await makeProgram(target, join(folder, 'broken'), { stamp: stampOf('broken'), entry: BROKEN }),
    );
  });
  return {
    signer,
    fileOf: (version, kind) => join(folder, version, fileName(TEST_VERSIONS[version], kind)),
    remove: async () => rm(folder, { recursive: true }),
  };
}

/** What the versions are called. */
export const TEST_VERSIONS: Readonly<Record<TestVersion, string>> = {
  own: OWN_VERSION,
  later: laterVersion(1),
  broken: laterVersion(2),
};

function ownExecutable(target: TestTarget): string {
  return join(CHECKOUT, 'dist', target, target === 'windows-x64' ? 'keadm.exe' : 'keadm');
}

function stampOf(version: TestVersion): ReturnType<typeof buildStamp> {
  return { ...buildStamp(), version: TEST_VERSIONS[version] };
}

async function makeProgram(name: TestTarget, folder: string, variant: Variant): Promise<string> {
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) throw new Error(`There is no target "${name}"`);
  return makeExecutable(target, folder, variant);
}

async function make(
  folder: string,
  recipe: Pick<InstallersRecipe, 'version' | 'executables' | 'signer'>,
): Promise<void> {
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  await makeInstallers({ ...RECIPE, ...recipe, folder, work });
  await rm(work, { recursive: true });
}

function fileName(version: string, kind: 'setup' | 'msi' | 'deb'): string {
  const names = installerNames(version);
  return kind === 'deb' ? names.deb('linux-x64') : names[kind];
}
