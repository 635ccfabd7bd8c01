import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import * as z from 'zod/mini';
import { newPrivateKey } from './certificate-request.ts';
import { isPrivateKey, type NodeIdentity } from './node-identity.ts';

/** Where the parts of the identity lie: three files, as upstream has them. */
export interface IdentityPaths {
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The identity on disk. */
interface IdentityFiles {
  /** Reads the three files; `undefined` if one is missing. Finishes an exchange that a crash broke off. */
  load(): Promise<NodeIdentity | undefined>;
  /** Exchanges all three, so that after a crash at any moment a load gives the old ones or the new ones, whole. */
  save(identity: NodeIdentity): Promise<void>;
}

const Staged = z.object({ ca: z.string(), certificate: z.string(), key: z.string() });

/**
 * Keeps the identity in its files. Three files can't change in one moment, so the new ones are first put into one file
 * that can (`<key file>.next`); anyone who finds that file carries the exchange through.
 */
export function identityFiles(paths: IdentityPaths, files: FileStore): IdentityFiles {
  const staged = `${paths.keyFile}.next`;
  const carryThrough = async (identity: NodeIdentity): Promise<void> => {
    await files.replace(paths.caFile, identity.ca);
    await files.replace(paths.keyFile, identity.key);
    await files.replace(paths.certificateFile, identity.certificate);
    await files.removeTree(staged, dirname(staged), new AbortController().signal);
  };
  return {
    async load() {
      const pending = await readOwn(staged, Staged);
      if (pending !== undefined) await carryThrough(pending);
      return readAll(paths);
    },
    async save(identity) {
      await createFolders(paths, files);
      await files.replace(staged, `${JSON.stringify(identity)}\n`);
      await carryThrough(identity);
    },
  };
}

async function readAll({ caFile, certificateFile, keyFile }: IdentityPaths): Promise<NodeIdentity | undefined> {
  const ca = await readIfThere(caFile);
  const certificate = await readIfThere(certificateFile);
  const key = await readIfThere(keyFile);
  return ca === undefined || certificate === undefined || key === undefined ? undefined : { ca, certificate, key };
}

async function createFolders(paths: IdentityPaths, files: FileStore): Promise<void> {
  const folders = new Set([paths.keyFile, paths.certificateFile, paths.caFile].map((file) => dirname(file)));
  for (const folder of folders) await files.createFolder(folder);
}

/** The key a certificate was asked for with, until the certificate is here. */
export interface PendingKey {
  /** The key for requests by this token, PEM. It is on disk when this returns, and the same for every try. */
  keyFor(token: string): Promise<string>;
  /** Removes the key once the identity that it belongs to was saved. */
  forget(): Promise<void>;
}

const Pending = z.object({ tokenHash: z.string(), key: z.string() });

/**
 * Keeps the key beside the node's own, in `<key file>.pending`. A cloud may honour a token for one key only, so after
 * an answer that was lost on its way the next try has to come with the same key.
 */
export function pendingKey(keyFile: string, files: FileStore): PendingKey {
  const path = `${keyFile}.pending`;
  const folder = dirname(path);
  return {
    async keyFor(token) {
      const tokenHash = createHash('sha256').update(token).digest('hex');
      const pending = await readOwn(path, Pending);
      if (pending?.tokenHash === tokenHash && isPrivateKey(pending.key)) return pending.key;
      const key = newPrivateKey();
      await files.createFolder(folder);
      await files.replace(path, `${JSON.stringify({ tokenHash, key })}\n`);
      return key;
    },
    forget: async () => files.removeTree(path, folder, new AbortController().signal),
  };
}

/** What is in one of our files; `undefined` for anything else, since ours are put in place whole. */
async function readOwn<Value>(path: string, schema: z.ZodMiniType<Value>): Promise<Value | undefined> {
  try {
    return z.parse(schema, JSON.parse((await readIfThere(path)) ?? ''));
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    return undefined;
  }
}

/** Reads a text file; `undefined` if there is none. `what` stands before its path in an error. */
export async function readIfThere(path: string, what = ''): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read ${what}"${path}"`);
  }
}
