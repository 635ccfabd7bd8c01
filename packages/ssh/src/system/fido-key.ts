import { readFile } from 'node:fs/promises';
import { keyType, wholeKey } from '../host-keys/public-key.ts';

/** How every private key in OpenSSH's own format begins. */
const MAGIC = Buffer.from('openssh-key-v1\0', 'latin1');
/** The cipher, how its key is made from the passphrase, and what that takes: then comes the public part. */
const FIELDS_BEFORE = 3;
const NUMBER_BYTES = 4;

/** Whether the key in a file is of use only together with a FIDO device. What cannot be read is not. */
export async function isFidoKeyFile(path: string): Promise<boolean> {
  return isFidoType((await typeInPrivateFile(path)) ?? (await typeInPublicFile(`${path}.pub`)) ?? '');
}

/** Whether this type of key is one of a FIDO device: `sk-ssh-ed25519@openssh.com`. */
export function isFidoType(type: string): boolean {
  return type.startsWith('sk-');
}

/** The type in the part of a private key that is readable without its passphrase. */
async function typeInPrivateFile(path: string): Promise<string | undefined> {
  const text = await readText(path);
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\w+/=\s]+)-----END/.exec(text)?.[1];
  const bytes = Buffer.from(body ?? '', 'base64');
  return bytes.subarray(0, MAGIC.length).equals(MAGIC) ? publicType(bytes) : undefined;
}

async function typeInPublicFile(path: string): Promise<string | undefined> {
  const key = wholeKey(await readText(path));
  return key === undefined ? undefined : keyType(key);
}

function publicType(bytes: Buffer): string | undefined {
  let at = MAGIC.length;
  for (let field = 0; field < FIELDS_BEFORE; field += 1) {
    if (at + NUMBER_BYTES > bytes.length) return undefined;
    at += NUMBER_BYTES + bytes.readUInt32BE(at);
  }
  // The number of keys, and the length of the first one.
  return keyType(bytes.subarray(at + 2 * NUMBER_BYTES));
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
