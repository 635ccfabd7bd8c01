import { dirname } from 'node:path';
import type { FileStore } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { NodeIdentity } from './node-identity.ts';
import { readIfThere } from './read-if-there.ts';

/** Where the parts of the identity lie: three files, as upstream has them. */
export interface IdentityPaths {
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** The identity on disk. */
export interface IdentityFiles {
  /** Reads the three files; `undefined` if one is missing. Finishes an exchange that a crash broke off. */
  load(): Promise<NodeIdentity | undefined>;
  /** Exchanges all three, so that after a crash at any moment a load gives the old ones or the new ones, whole. */
  save(identity: NodeIdentity): Promise<void>;
}

const Staged = z.object({ ca: z.string(), certificate: z.string(), key: z.string() });

/**
 * Keeps the identity in its files. Three files can't change in one moment, so the new ones are first put into one file
 * that can (`<key file>.next`); whoever finds that file carries the exchange through.
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
      const pending = readStaged(await readIfThere(staged));
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

function readStaged(text: string | undefined): NodeIdentity | undefined {
  if (text === undefined) return undefined;
  try {
    return Staged.parse(JSON.parse(text));
  } catch {
    // Not ours, since ours are put in place whole: the files beside it are the ones that count.
    return undefined;
  }
}
