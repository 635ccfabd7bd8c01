import { stat } from 'node:fs/promises';
import { fileError, type Plan, planWorkflow } from '@fenestra/kernel';
import { changeNode, type NodeChange, type NodeSession } from '@fenestra/session';
import { archivePath, type BackupFacts, type BackupWishes, gatherBackupFacts } from './facts.ts';
import { BACK_UP } from './workflow.ts';

/** What was written, or would be. */
export interface NodeBackup {
  readonly archive: string;
  readonly encrypted: boolean;
  readonly nodeName: string;
  readonly version: string;
  /** What is in it, each with its name in the archive. */
  readonly files: readonly { readonly role: string; readonly path: string }[];
  readonly missing: readonly string[];
}

/** A backup as it would be made. */
export async function planBackup(
  session: NodeSession,
  wishes: BackupWishes,
): Promise<{ readonly plan: Plan; readonly backup: NodeBackup }> {
  const facts = await gatherBackupFacts(session, wishes);
  return { plan: planWorkflow(BACK_UP, facts), backup: describe(facts) };
}

/** Makes a backup. `bytes` is 0 if none was made in the end. */
export async function backUpNode(
  session: NodeSession,
  wishes: BackupWishes,
  signal: AbortSignal,
): Promise<{ readonly change: NodeChange; readonly backup: NodeBackup; readonly bytes: number }> {
  const makePlan = async () => planBackup(session, wishes);
  const { change, planned } = await changeNode(session, 'keadm backup', makePlan, signal);
  const { backup } = planned;
  return { change, backup, bytes: change.outcome === 'applied' ? await sizeOf(backup.archive) : 0 };
}

function describe(facts: BackupFacts): NodeBackup {
  const { subject, sources, missing, wishes } = facts;
  return {
    archive: archivePath(facts),
    encrypted: wishes.encrypted,
    nodeName: subject.nodeName,
    version: subject.version,
    files: sources.map(({ role, path }) => ({ role, path })),
    missing,
  };
}

async function sizeOf(path: string): Promise<number> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw fileError(cause, `look at "${path}"`);
  });
  return size;
}
