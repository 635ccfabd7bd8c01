import { createHash } from 'node:crypto';
import { fileError, OperatorError } from '@fenestra/kernel';
import type { ParsedTarEntry } from 'modern-tar';
import { digestOf } from '@fenestra/platform';
import {
  BACKUP_MANIFEST,
  MOST_MANIFEST_BYTES,
  parseBackupManifest,
  type BackupFile,
  type BackupManifest,
  invalidBackup,
} from './manifest.ts';
import { archiveContent, tarEntries } from './archive-content.ts';

/** An archive and what opens it. */
export interface LockedBackup {
  readonly path: string;
  readonly passphrase: string | undefined;
}

/** Takes one file of a backup, whose digest is checked while it is read and known to be right only at its end. */
export type FileReceiver = (file: BackupFile, content: AsyncIterable<Uint8Array>) => Promise<void>;

/** Reads what is in an archive from its beginning; the rest of it is not looked at. */
export async function readManifest(backup: LockedBackup): Promise<BackupManifest> {
  return explained(backup, async () => {
    for await (const entry of membersOf(backup)) return manifestIn(entry);
    throw invalidBackup('is empty');
  });
}

/**
 * Reads a whole archive. Throws unless it holds exactly the files its manifest names, each as it is described there;
 * until this returns nothing that was received may be used.
 */
export async function readBackup(backup: LockedBackup, receive: FileReceiver): Promise<BackupManifest> {
  return explained(backup, async () => {
    let manifest: BackupManifest | undefined;
    const awaited = new Map<string, BackupFile>();
    for await (const entry of membersOf(backup)) {
      if (manifest === undefined) {
        manifest = await manifestIn(entry);
        for (const file of manifest.files) awaited.set(file.path, file);
      } else {
        const file = expected(entry, awaited);
        await receive(file, verified(entry.body, file));
        awaited.delete(file.path);
      }
    }
    if (manifest === undefined || awaited.size > 0) throw invalidBackup('lacks files that its manifest names');
    return manifest;
  });
}

function membersOf({ path, passphrase }: LockedBackup): AsyncIterable<ParsedTarEntry> {
  return tarEntries(archiveContent(path, passphrase));
}

async function manifestIn({ header, body }: ParsedTarEntry): Promise<BackupManifest> {
  if (header.name !== BACKUP_MANIFEST || header.size > MOST_MANIFEST_BYTES) {
    throw invalidBackup('does not start with a manifest');
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return parseBackupManifest(Buffer.concat(pieces).toString('utf8'));
}

function expected({ header }: ParsedTarEntry, awaited: ReadonlyMap<string, BackupFile>): BackupFile {
  const file = awaited.get(header.name);
  if (file === undefined || header.type !== 'file') throw invalidBackup('has a file that its manifest does not name');
  if (header.size !== file.size) throw differs(file);
  return file;
}

async function* verified(body: AsyncIterable<Uint8Array>, file: BackupFile): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of body) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== file.sha256) throw differs(file);
}

function differs({ path }: BackupFile): OperatorError {
  return invalidBackup(`contains another "${path}" than its manifest lists`);
}

/** What the decompressor and the tar reader throw means one thing to an operator: the archive is damaged. */
async function explained<T>({ path }: LockedBackup, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    if (cause instanceof Error && 'syscall' in cause) throw fileError(cause, `read "${path}"`);
    throw invalidBackup('is damaged or no archive of keadm', cause);
  }
}

/** Far above any real configuration, and small enough to be read at once. */
const MOST_CONFIGURATION_BYTES = 1024 * 1024;

/** What is known of an archive once all of it was read and found to be in order. */
export interface InspectedBackup {
  readonly manifest: BackupManifest;
  readonly configuration: string;
  readonly sha256: string;
}

/** Reads a whole archive and writes nothing. */
export async function inspectBackup(backup: LockedBackup): Promise<InspectedBackup> {
  let configuration = '';
  const sha256 = await digestOf(backup.path);
  const manifest = await readBackup(backup, async ({ role, size }, content) => {
    const keep = role === 'configuration' && size <= MOST_CONFIGURATION_BYTES;
    const pieces: Uint8Array[] = [];
    for await (const piece of content) if (keep) pieces.push(piece);
    if (keep) configuration = Buffer.concat(pieces).toString('utf8');
  });
  return { manifest, configuration, sha256 };
}
