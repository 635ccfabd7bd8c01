import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeSigner } from './authenticode.ts';
import type { InstallerRecipe } from './installer-recipe.ts';
import { type DebianArchitecture, debianVersion, makeDeb } from './linux/make-deb.ts';
import { makeTarball } from './linux/make-tarball.ts';
import { makeMsi } from './msi/make-msi.ts';
import { makeSetup } from './nsis/make-setup.ts';

/** What all installers of a release are made from. */
export interface InstallersRecipe extends Pick<InstallerRecipe, 'version' | 'epoch' | 'work' | 'quick'> {
  /** The programs by target; what is left out gets no installer. */
  readonly executables: Readonly<Partial<Record<'linux-x64' | 'linux-arm64' | 'windows-x64', string>>>;
  /** The addon that the program for Windows carries. */
  readonly addon: string;
  readonly license: string;
  readonly signer: CodeSigner | undefined;
  /** Where they go. */
  readonly folder: string;
}

const DEBIAN: Readonly<Record<'linux-x64' | 'linux-arm64', DebianArchitecture>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
};

/** The names of the installers in a release. */
export function installerNames(version: string) {
  return {
    setup: `fenestra-${version}-windows-x64-setup.exe`,
    msi: `fenestra-${version}-windows-x64.msi`,
    deb: (target: keyof typeof DEBIAN) => `fenestra_${debianVersion(version)}_${DEBIAN[target]}.deb`,
    tarball: (target: keyof typeof DEBIAN) => `fenestra-${version}-${target}.tar.gz`,
  };
}

/** Makes every installer side by side: each of them is mostly one process that compresses. */
export async function makeInstallers(recipe: InstallersRecipe): Promise<void> {
  const { 'windows-x64': windows, 'linux-x64': x64, 'linux-arm64': arm64 } = recipe.executables;
  await Promise.all([
    ...(windows === undefined ? [] : [forWindows(recipe, windows)]),
    ...(x64 === undefined ? [] : [forLinux(recipe, 'linux-x64', x64)]),
    ...(arm64 === undefined ? [] : [forLinux(recipe, 'linux-arm64', arm64)]),
  ]);
}

async function forWindows(recipe: InstallersRecipe, executable: string): Promise<void> {
  const { setup, msi } = installerNames(recipe.version);
  await Promise.all([
    makeSetup(await recipeOf(recipe, executable, setup), recipe.signer),
    makeMsi(await recipeOf(recipe, executable, msi), recipe.addon, recipe.signer),
  ]);
}

async function forLinux(recipe: InstallersRecipe, target: keyof typeof DEBIAN, executable: string): Promise<void> {
  const { deb, tarball } = installerNames(recipe.version);
  const { license } = recipe;
  const architecture = DEBIAN[target];
  await Promise.all([
    makeDeb({ ...(await recipeOf(recipe, executable, deb(target))), architecture, license }),
    makeTarball({ ...(await recipeOf(recipe, executable, tarball(target))), license }),
  ]);
}

async function recipeOf(recipe: InstallersRecipe, executable: string, name: string): Promise<InstallerRecipe> {
  const { version, epoch, quick } = recipe;
  const work = join(recipe.work, name);
  await mkdir(work, { recursive: true });
  return { version, epoch, quick, executable, work, output: join(recipe.folder, name) };
}
