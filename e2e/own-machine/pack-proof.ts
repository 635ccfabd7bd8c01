/** `node scripts/run.mjs e2e/own-machine/pack-proof.ts FOLDER`: everything that `proof-main.ts` needs, in one folder. */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { makeExecutable } from '../../build/make-executable.ts';
import { makeInstallers } from '../../build/packaging/make-installers.ts';
import { PACKAGING_PACKAGES, requirePackages } from '../../build/packaging/require-packages.ts';
import { buildStamp } from '../../build/stamp.ts';
import { KOFFI_WINDOWS, TARGETS } from '../../build/targets.ts';
import { CHECKOUT } from '../support/beds/checkout.ts';
import { bundleRunner } from '../support/beds/contract-bundle.ts';
import { OWN_VERSION } from '../support/releases/versions.ts';
import { kitIn } from './proof-kit.ts';

const folder = resolve(process.argv[2] ?? 'dist/windows-proof');
const kit = kitIn(folder);

await requirePackages(PACKAGING_PACKAGES);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await bundleRunner(folder);
await bundleProof();
await copyFile(KOFFI_WINDOWS, kit.addon);
await copyFile(join(import.meta.dirname, 'install-containerd.ps1'), join(folder, 'install-containerd.ps1'));
await addVersion(OWN_VERSION, kit.keadm);
await addVersion(kit.laterVersion, kit.laterKeadm);
await rm(join(folder, '.work'), { recursive: true });

async function addVersion(version: string, to: string): Promise<void> {
  const target = TARGETS.find(({ name }) => name === 'windows-x64');
  if (target === undefined) throw new Error('There is no target for Windows');
  const work = join(folder, '.work', version);
  await mkdir(work, { recursive: true });
  const executable = await makeExecutable(target, work, { stamp: { ...buildStamp(), version } });
  await copyFile(executable, to);
  await makeInstallers({
    version,
    epoch: Date.parse(buildStamp().commitTime) / 1000,
    executables: { 'windows-x64': executable },
    addon: KOFFI_WINDOWS,
    license: join(CHECKOUT, 'LICENSE'),
    quick: true,
    signer: undefined,
    folder,
    work,
  });
}

async function bundleProof(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'proof-main.ts')],
    outfile: join(folder, 'proof.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
}
