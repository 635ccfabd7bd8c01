import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { portableConfiguration } from './portable-configuration.ts';
import { type BackupFile, type BackupRole } from './manifest.ts';
import { fileError } from '@fenestra/kernel';
import { digestOf } from '@fenestra/platform';

/** Where a file of the node is, and what it is to it. */
export interface BackupSource {
  readonly role: BackupRole;
  /** Its name in the archive. */
  readonly path: string;
  readonly from: string;
}

/** A file ready to be packed: small ones are in memory, so that they are packed as they were described. */
export interface BackupMember {
  readonly file: BackupFile;
  /** The bytes, or the path of a file that nobody changes meanwhile. */
  readonly content: Buffer | string;
}

/** These may be large; the program is under the node's lock, and the database is a copy of our own. */
const STREAMED: readonly BackupRole[] = ['executable', 'database'];
/** Nobody but the system and its administrators may read these, wherever they are unpacked. */
const PUBLIC: readonly BackupRole[] = ['executable', 'ca', 'certificate', 'version'];

/** Looks at a file and describes it. */
export async function describeMember(source: BackupSource, nodeName: string): Promise<BackupMember> {
  const { role, path, from } = source;
  try {
    const { mode, size } = await stat(from);
    const rights = mode & (PUBLIC.includes(role) ? 0o755 : 0o700);
    if (STREAMED.includes(role)) {
      return { file: { path, role, size, sha256: await digestOf(from), mode: rights }, content: from };
    }
    const content = await contentOf(source, nodeName);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { file: { path, role, size: content.length, sha256, mode: rights }, content };
  } catch (cause) {
    throw fileError(cause, `read "${from}"`);
  }
}

async function contentOf({ role, from }: BackupSource, nodeName: string): Promise<Buffer> {
  const content = await readFile(from);
  return role === 'configuration' ? Buffer.from(portableConfiguration(content.toString('utf8'), nodeName)) : content;
}
