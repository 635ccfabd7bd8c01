import { createPrivateKey, X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import type { BackupMember } from './backup-member.ts';

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

/** Whether the certificate is that of the key; so long as one of them is missing, or another kind of file, nobody can tell. */
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
