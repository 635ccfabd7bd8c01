import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { parseTrustKeys, signRelease, versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { makeExecutable } from './make-executable.ts';
import { type ReleasePart, writeReleaseFolder } from './release-folder.ts';
import { buildStamp } from './stamp.ts';
import { type Target, TARGETS } from './targets.ts';

/** `npm run package [-- --sign-key FILE]`: makes `dist/release/<version>/`, which `keadm … --from` takes. */
const RELEASES = join(import.meta.dirname, '..', 'dist', 'release');
const SYSTEMS: Readonly<Record<Target['name'], Pick<ReleasePart, 'os' | 'arch'>>> = {
  'linux-x64': { os: 'linux', arch: 'x64' },
  'linux-arm64': { os: 'linux', arch: 'arm64' },
  'windows-x64': { os: 'windows', arch: 'x64' },
};

const MAKE_A_KEY = `\
  openssl genpkey -algorithm ed25519 -out release-key.pem
  openssl pkey -in release-key.pem -pubout -out release-key.pub.pem
  FENESTRA_TRUST_KEY=release-key.pub.pem npm run package -- --sign-key release-key.pem`;

async function main(): Promise<void> {
  const signKey = readSignKey();
  const { version, trustKeys } = buildStamp();
  const parts: ReleasePart[] = [];
  // Apart from those of a plain build, which trust no key.
  const work = join(RELEASES, '.work');
  for (const target of TARGETS) parts.push(partOf(target, await makeExecutable(target, work)));
  const folder = join(RELEASES, versionTag(version));
  await writeReleaseFolder(folder, { version: versionTag(version), parts, signKey });
  await rm(work, { recursive: true });
  console.log(relative(process.cwd(), folder));
  if (signKey === undefined) console.error(`The release is not signed. To sign it:\n${MAKE_A_KEY}`);
  else if (!trustKeys.includes(publicKeyOf(signKey)))
    console.error(
      'The executables do not trust the key they are signed with: name its public key in FENESTRA_TRUST_KEY.',
    );
}

/** Before anything is built, because a wrong key is found out in no time. */
function readSignKey(): string | undefined {
  const { 'sign-key': file } = parseArgs({ options: { 'sign-key': { type: 'string' } } }).values;
  if (file === undefined) return undefined;
  const key = readFileSync(file, 'utf8');
  signRelease(Buffer.alloc(0), key);
  return key;
}

function publicKeyOf(signKey: string): string {
  const pem = createPublicKey(signKey).export({ type: 'spki', format: 'pem' });
  return parseTrustKeys(String(pem), 'the key')[0] ?? '';
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
