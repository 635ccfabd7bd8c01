import type { BackupManifest } from './manifest.ts';
import { digestOf } from '@fenestra/platform';
import { readBackup, type LockedBackup } from './read-backup.ts';

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
