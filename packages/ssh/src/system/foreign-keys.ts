import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { keyType, wholeKey } from '../host-keys/known-hosts.ts';
import { sshEnvironment } from './run-ssh.ts';

const ANSWER_MS = 5000;
const run = promisify(execFile);

/** Finds keys that the library cannot use and the system's ssh can. */
export interface ForeignKeys {
  inFile(path: string): Promise<boolean>;
  /** Asks the agent each time, since what it holds changes. */
  inAgent(socket: string): Promise<boolean>;
}

/** Looks into each file once. */
export function foreignKeys(): ForeignKeys {
  const files = new Map<string, Promise<boolean>>();
  return {
    async inFile(path) {
      const found = files.get(path) ?? isFidoKeyFile(path);
      files.set(path, found);
      return found;
    },
    inAgent: async (socket) => (await agentTypes(socket)).some(isForeignType),
  };
}

/** Whether the library does not know this type of key, as `ssh-add -L` names it. */
export function isForeignType(type: string): boolean {
  return isFidoType(type) || type.endsWith('-cert-v01@openssh.com');
}

/** An agent that cannot be asked holds nothing. */
async function agentTypes(socket: string): Promise<readonly string[]> {
  const limits = { env: sshEnvironment({ SSH_AUTH_SOCK: socket }), timeout: ANSWER_MS };
  const printed = await run('ssh-add', ['-L'], limits).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return printed.split('\n').map((line) => line.split(' ', 1)[0] ?? '');
}

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
function isFidoType(type: string): boolean {
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
