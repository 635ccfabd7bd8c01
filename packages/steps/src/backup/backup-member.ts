import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileError, OperatorError } from '@fenestra/kernel';
import { digestOf } from '@fenestra/platform';
import { portableConfiguration } from './portable-configuration.ts';
import type { BackupFile, BackupRole } from './manifest.ts';

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
  /** The bytes, or the path of a file that no one changes in the meantime. */
  readonly content: Buffer | string;
}

/** These may be large; the program is under the node's lock, and the database is our own copy. */
const STREAMED: readonly BackupRole[] = ['executable', 'database'];
/** No one but the system and its administrators may read these, wherever they are unpacked. */
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
    const content = await packedContent(source, nodeName);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { file: { path, role, size: content.length, sha256, mode: rights }, content };
  } catch (cause) {
    throw fileError(cause, `read "${from}"`);
  }
}

async function packedContent({ role, from }: BackupSource, nodeName: string): Promise<Buffer> {
  const content = await readFile(from);
  return role === 'configuration' ? Buffer.from(portableConfiguration(content.toString('utf8'), nodeName)) : content;
}

const TRIES = 5;
const PAUSE_MS = 500;

/** Reads the members again while the agent is in the middle of exchanging its certificate and key, which takes moments. */
export async function untilPaired(read: () => Promise<readonly BackupMember[]>): Promise<readonly BackupMember[]> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const members = await read();
    if (isPaired(members)) return members;
    await sleep(PAUSE_MS);
  }
  throw new OperatorError(
    'CERTIFICATE_INVALID',
    "Cannot back up: the node's certificate and key do not belong together",
    {
      hint: 'See whether the agent is connected: "keadm status". Join the node again if it cannot connect.',
    },
  );
}

/** Whether the certificate is that of the key; so long as one of them is missing, or another kind of file, no one can determine. */
function isPaired(members: readonly BackupMember[]): boolean {
  const contentOf = (role: string): BackupMember['content'] | undefined =>
    members.find(({ file }) => file.role === role)?.content;
  const [certificate, key] = [contentOf('certificate'), contentOf('key')];
  if (certificate === undefined || key === undefined) return true;
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return true;
  }
}
