import { join } from 'node:path';
import { type Plan, planWorkflow, type Phase } from '@fenestra/kernel';
import { changeNode, type NodeChange, type NodeSession } from '@fenestra/session';
import { createFolder, writeBackup } from '@fenestra/steps';
import { sizeOf } from '@fenestra/platform';
import { archivePath, type BackupFacts, type BackupWishes, gatherBackupFacts } from './facts.ts';

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

/** A backup changes nothing of the node: it only reads. */
export const BACK_UP: readonly Phase<BackupFacts>[] = [
  {
    // A folder that keadm makes for archives is private, since they hold the node's key.
    id: 'create-folder',
    title: 'Create the folder',
    plan: ({ wishes, folderMissing }) => (folderMissing ? [createFolder({ path: wishes.folder })] : []),
  },
  {
    // The whole node in one file, while its agent goes on working.
    id: 'write-archive',
    title: 'Write the archive',
    plan(facts) {
      const { wishes, subject, sources, layout } = facts;
      const scratch = join(layout.bookkeepingFolder, 'backup');
      const { encrypted } = wishes;
      return [writeBackup({ to: archivePath(facts), encrypted, subject, sources: [...sources], scratch })];
    },
  },
];
