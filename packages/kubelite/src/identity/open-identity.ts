import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import { dump } from 'js-yaml';
import * as z from 'zod/mini';
import { isGood, makeCa, makeKey, makeLeaf } from './certificates.ts';

/** A certificate with its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Who the embedded API is: its own CA, its serving certificate, the key that signs service account tokens, and its first users. */
export interface Identity {
  readonly ca: KeyPair;
  readonly serving: KeyPair;
  /** PKCS #8 PEM of an EC P-256 key; the public half is derived from it. */
  readonly serviceAccountKey: string;
  /** `system:masters`. */
  readonly admin: KeyPair;
  /** CN `cloudcore`, O `system:cloudcore`. */
  readonly cloudcore: KeyPair;
}

const KeyPairSchema = z.object({ certificate: z.string(), key: z.string() });
const IdentitySchema = z.object({
  ca: KeyPairSchema,
  serving: KeyPairSchema,
  serviceAccountKey: z.string(),
  admin: KeyPairSchema,
  cloudcore: KeyPairSchema,
});

/** Reads the identity from the folder, or makes it. Certificates that end soon or lack a name are made again; the CA never is. */
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

/** A kubeconfig with everything inside it, as YAML. It holds a private key. */
export function kubeconfigFor(url: string, ca: string, user: string, keys: KeyPair): string {
  const context = `${user}@kubelite`;
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kubelite', cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(keys.certificate), 'client-key-data': base64(keys.key) },
      },
    ],
    contexts: [{ name: context, context: { cluster: 'kubelite', user, namespace: 'default' } }],
    'current-context': context,
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
