import { chmodSync, closeSync, mkdirSync, openSync, fsyncSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { isGood, makeCa, makeKey, makeLeaf } from './certificates.ts';
import type { Identity } from './identity.ts';

const KeyPairSchema = z.object({ certificate: z.string(), key: z.string() });
const IdentitySchema = z.object({
  ca: KeyPairSchema,
  serving: KeyPairSchema,
  serviceAccountKey: z.string(),
  admin: KeyPairSchema,
  cloudcore: KeyPairSchema,
});

/** Reads the identity from the folder, or makes it. Certificates that end soon or lack a name are made anew; the CA never is. */
export async function openIdentity(folder: string, names: readonly string[], now: Date): Promise<Identity> {
  makeFolder(folder);
  const file = join(folder, 'identity.json');
  const known = readIdentity(file);
  const identity = await renew(known, names, now);
  // One file, replaced as a whole: a certificate never meets another one's key.
  if (identity !== known) writeIdentity(file, identity);
  return identity;
}

async function renew(known: Identity | undefined, names: readonly string[], now: Date): Promise<Identity> {
  const good =
    known &&
    isGood(known.serving.certificate, names, now) &&
    isGood(known.admin.certificate, [], now) &&
    isGood(known.cloudcore.certificate, [], now);
  if (good) return known;
  const ca = known?.ca ?? (await makeCa('kubelite-ca', now));
  const client = (commonName: string, group: string) =>
    makeLeaf(ca, { commonName, organizations: [group], usage: 'client', alternativeNames: [] }, now);
  return {
    ca,
    serving: await makeLeaf(
      ca,
      { commonName: 'kubelite', organizations: [], usage: 'server', alternativeNames: names },
      now,
    ),
    serviceAccountKey: known?.serviceAccountKey ?? (await makeKey()),
    admin: await client('kubernetes-admin', 'system:masters'),
    cloudcore: await client('cloudcore', 'system:cloudcore'),
  };
}

function readIdentity(file: string): Identity | undefined {
  const text = readIfThere(file);
  if (text === undefined) return;
  try {
    return IdentitySchema.parse(JSON.parse(text));
  } catch {
    // The parser's own error would quote the keys.
    const hint = 'Put the file back from a backup, or remove its folder to start an empty cluster with a new CA.';
    throw new OperatorError('ASSET_INVALID', `Cannot read the keys of the embedded API from "${file}"`, { hint });
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return;
    throw fileError(cause, `read "${file}"`);
  }
}

function writeIdentity(file: string, identity: Identity): void {
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600 });
    const handle = openSync(draft, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(draft, file);
  } catch (cause) {
    throw fileError(cause, `write "${file}"`);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A folder that was there already may be open to others.
    chmodSync(folder, 0o700);
  } catch (cause) {
    throw fileError(cause, `make folder "${folder}"`);
  }
}
