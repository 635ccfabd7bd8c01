import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parseTrustKeys, signRelease } from '@fenestra/releases';
import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { makeExecutable } from './make-executable.ts';
import { type CodeSigner, codeSignerOf, signFile } from './packaging/authenticode.ts';
import { writeChecksums } from './packaging/checksums.ts';
import { makeInstallers } from './packaging/make-installers.ts';
import { PACKAGING_PACKAGES, requirePackages } from './packaging/require-packages.ts';
import { cycloneDx } from './packaging/sbom/cyclone-dx.ts';
import { findParts } from './packaging/sbom/find-parts.ts';
import { type ReleasePart, writeReleaseFolder } from './release-folder.ts';
import { buildStamp } from './stamp.ts';
import { KOFFI_WINDOWS, type Target, TARGETS } from './targets.ts';

/** `npm run package [-- --sign-key FILE] [--quick]`: makes `dist/release/<version>/`, which `keadm … --from` takes. */
const ROOT = join(import.meta.dirname, '..');
const RELEASES = join(ROOT, 'dist', 'release');
const SYSTEMS: Readonly<Record<Target['name'], Pick<ReleasePart, 'os' | 'arch'>>> = {
  'linux-x64': { os: 'linux', arch: 'x64' },
  'linux-arm64': { os: 'linux', arch: 'arm64' },
  'windows-x64': { os: 'windows', arch: 'x64' },
};

const MAKE_A_KEY = `\
  openssl genpkey -algorithm ed25519 -out release-key.pem
  openssl pkey -in release-key.pem -pubout -out release-key.pub.pem
  FENESTRA_TRUST_KEY=release-key.pub.pem npm run package -- --sign-key release-key.pem`;

type Executables = Readonly<Record<Target['name'], string>>;

async function main(): Promise<void> {
  const { signKey, quick } = readOptions();
  const signer = codeSignerOf(process.env);
  await requirePackages([...PACKAGING_PACKAGES, ...(signer === undefined ? [] : ['osslsigncode'])]);
  const { version, commit, commitTime, trustKeys } = buildStamp();
  const work = join(RELEASES, '.work');
  const folder = join(RELEASES, versionTag(version));
  // What a run that failed has left would be packed along.
  await rm(work, { recursive: true, force: true });
  const executables = await makeExecutables(work, signer);
  const parts = TARGETS.map((target) => partOf(target, executables[target.name]));
  await writeReleaseFolder(folder, { version: versionTag(version), parts, signKey });
  await makeInstallers({
    version,
    quick,
    executables,
    signer,
    folder,
    work: join(work, 'installers'),
    epoch: Date.parse(commitTime) / 1000,
    addon: KOFFI_WINDOWS,
    license: join(ROOT, 'LICENSE'),
  });
  const sbom = cycloneDx({ version, commit, commitTime }, await findParts(TARGETS));
  await writeFile(join(folder, `fenestra-${version}.cdx.json`), sbom);
  await writeChecksums(folder, signKey);
  await rm(work, { recursive: true });
  console.log(relative(process.cwd(), folder));
  if (signKey === undefined) console.error(`The release is not signed. To sign it:\n${MAKE_A_KEY}`);
  else if (!trustKeys.includes(publicKeyOf(signKey)))
    console.error(
      'The executables do not trust the key they are signed with: name its public key in FENESTRA_TRUST_KEY.',
    );
}

/** Before anything is built, because a wrong key is found out in no time. */
function readOptions(): { readonly signKey: string | undefined; readonly quick: boolean } {
  const options = { 'sign-key': { type: 'string' }, quick: { type: 'boolean', default: false } } as const;
  const { 'sign-key': file = process.env['FENESTRA_SIGN_KEY'], quick } = parseArgs({ options }).values;
  if (file === undefined) return { signKey: undefined, quick };
  const signKey = readFileSync(file, 'utf8');
  signRelease(Buffer.alloc(0), signKey);
  return { signKey, quick };
}

function publicKeyOf(signKey: string): string {
  const pem = createPublicKey(signKey).export({ type: 'spki', format: 'pem' });
  return parseTrustKeys(String(pem), 'the key')[0] ?? '';
}

/** Apart from those of a plain build, which trust no key. What Windows checks is signed before anything is made from it. */
async function makeExecutables(work: string, signer: CodeSigner | undefined): Promise<Executables> {
  const made: Partial<Record<Target['name'], string>> = {};
  for (const target of TARGETS) made[target.name] = await makeExecutable(target, work);
  const { 'linux-x64': x64 = '', 'linux-arm64': arm64 = '', 'windows-x64': windows = '' } = made;
  if (signer !== undefined) {
    await signFile(windows, `${windows}.signed`, signer);
    await rename(`${windows}.signed`, windows);
  }
  return { 'linux-x64': x64, 'linux-arm64': arm64, 'windows-x64': windows };
}

function partOf({ name, executable: file }: Target, executable: string): ReleasePart {
  return { ...SYSTEMS[name], name: `keadm-${name}${extname(file)}`, executable };
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(`Error: ${error.message}`);
  if (error instanceof OperatorError) console.error(`Hint: ${error.hint}`);
  process.exit(2);
}
