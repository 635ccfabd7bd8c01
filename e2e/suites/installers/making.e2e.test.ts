import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CodeSigner, codeSignerOf } from '../../../build/packaging/authenticode.ts';
import { CHECKSUMS_FILE, CHECKSUMS_SIGNATURE_FILE, writeChecksums } from '../../../build/packaging/checksums.ts';
import { installerNames, makeInstallers } from '../../../build/packaging/make-installers.ts';
import { UPGRADE_CODE } from '../../../build/packaging/msi/wix-source.ts';
import { PACKAGING_PACKAGES, requirePackages } from '../../../build/packaging/require-packages.ts';
import { KOFFI_WINDOWS } from '../../../build/targets.ts';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { mustRun } from '../../support/beds/command.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { isSignedBy, makeTestSigner } from './test-signer.ts';

/** Small enough to be packed in no time; for Windows it has to be a real program all the same, which our addon is. */
const PROGRAMS = { windows: KOFFI_WINDOWS, linux: join(CHECKOUT, 'LICENSE') };
const VERSION = '1.2.3-rc.1';
const NAMES = installerNames(VERSION);

let folder: string;

beforeAll(async () => {
  await requirePackages([...PACKAGING_PACKAGES, 'osslsigncode', 'openssl']);
  folder = await mkdtemp(join(tmpdir(), 'installers-'));
});
afterAll(async () => rm(folder, { recursive: true }));

async function make(name: string, signer?: CodeSigner): Promise<string> {
  const made = join(folder, name);
  await mkdir(made);
  await makeInstallers({
    version: VERSION,
    epoch: 1_700_000_000,
    executables: { 'windows-x64': PROGRAMS.windows, 'linux-x64': PROGRAMS.linux, 'linux-arm64': PROGRAMS.linux },
    addon: KOFFI_WINDOWS,
    license: join(CHECKOUT, 'LICENSE'),
    quick: false,
    signer,
    folder: made,
    work: join(folder, `${name}-work`),
  });
  return made;
}

async function digestsIn(made: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(made)).toSorted();
  const digest = async (name: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(made, name)))
      .digest('hex');
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digest(name)] as const)));
}

test('two makings at different times in different folders give the same bytes', async () => {
  const first = await digestsIn(await make('first'));
  // The tools know seconds, and rights for new files are a matter of taste.
  const mask = process.umask(0o077);
  await new Promise((resolve) => void setTimeout(resolve, 1_100));
  const second = await digestsIn(await make('second'));
  process.umask(mask);
  expect(second).toEqual(first);
  const linux = (['linux-x64', 'linux-arm64'] as const).flatMap((target) => [NAMES.deb(target), NAMES.tarball(target)]);
  expect(Object.keys(first)).toEqual([NAMES.setup, NAMES.msi, ...linux].toSorted());
});

/** The rows of a table of the MSI package, each as a list. */
async function rowsOf(table: string): Promise<readonly (readonly string[])[]> {
  const argv = ['msiinfo', 'export', join(folder, 'first', NAMES.msi), table];
  const { stdout } = await mustRun(argv, {}, unlimited());
  return stdout.split(/\r?\n/).map((line) => line.split('\t'));
}

test('the MSI package has no place for a token on a command line, and hides one that is given all the same', async () => {
  const properties = await rowsOf('Property');
  expect(properties).toContainEqual(['MsiHiddenProperties', 'TOKEN']);
  expect(await rowsOf('LaunchCondition')).toContainEqual(['NOT TOKEN', expect.stringContaining('TOKEN_FILE')]);
  expect((await rowsOf('CustomAction')).flat().join(' ')).not.toContain('[TOKEN]');
});

test('the MSI package takes properties to the system, but from no one who only repairs it', async () => {
  const [, secure] = (await rowsOf('Property')).find(([name]) => name === 'SecureCustomProperties') ?? [];
  expect(secure).toContain(';CLOUDCORE_IP;');
  const actions = await rowsOf('InstallExecuteSequence');
  expect(actions).toContainEqual(['Placed', 'NOT Installed', expect.anything()]);
  expect(actions).toContainEqual(['Leaving', 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE', expect.anything()]);
});

test('the MSI package never restarts the machine by itself', async () => {
  expect(await rowsOf('Property')).toContainEqual(['REBOOT', 'ReallySuppress']);
});

test('the MSI package takes the place of a pre-release, which has the same numbers, and not of a later version', async () => {
  const upgrades = await rowsOf('Upgrade');
  const code = `{${UPGRADE_CODE.toUpperCase()}}`;
  expect(upgrades).toContainEqual([code, '', '1.2.3', '', '513', '', 'WIX_UPGRADE_DETECTED']);
  expect(upgrades).toContainEqual([code, '1.2.3', '', '', '2', '', 'WIX_DOWNGRADE_DETECTED']);
});

test('the MSI package takes an earlier version away within its own transaction', async () => {
  const actions = await rowsOf('InstallExecuteSequence');
  const at = (action: string): number => Number(actions.find(([name]) => name === action)?.[2]);
  const order = ['InstallInitialize', 'RemoveExistingProducts', 'Leaving', 'RemoveFiles', 'InstallFiles', 'Placed'];
  const places = order.map(at);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('with a certificate both installers for Windows are signed, and a changed byte is found out', async () => {
  const signer = await makeTestSigner(folder);
  const made = await make('signed', signer);
  for (const name of [NAMES.setup, NAMES.msi]) {
    const file = join(made, name);
    expect(await isSignedBy(file, signer), name).toBe(true);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(0x8000) ^ 1, 0x8000);
    await writeFile(file, bytes);
    expect(await isSignedBy(file, signer), `${name}, changed`).toBe(false);
  }
});

test('a key without a certificate is refused before anything is made', () => {
  expect(() => codeSignerOf({ FENESTRA_CODE_KEY: 'key.pem' })).toThrow('not both');
  expect(codeSignerOf({})).toBeUndefined();
});

test('the checksums are of everything there is, and signed', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const made = join(folder, 'second');
  await writeChecksums(made, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  await mustRun(['env', '--chdir', made, 'sha256sum', '--check', '--strict', CHECKSUMS_FILE], {}, unlimited());
  const bytes = await readFile(join(made, CHECKSUMS_FILE));
  expect(bytes.toString().trim().split('\n')).toHaveLength(6);
  const signature = Buffer.from(await readFile(join(made, CHECKSUMS_SIGNATURE_FILE), 'utf8'), 'base64');
  expect(verify(null, bytes, publicKey, signature)).toBe(true);
});
