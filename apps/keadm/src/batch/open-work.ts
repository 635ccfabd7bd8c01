import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { remoteWorker, type Batch, type BatchNode, type NodeWorker } from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';
import type { WorkFlags } from './batch-options.ts';
import { openHosts } from './open-hosts.ts';
import { programBook } from './programs/program-book.ts';
import { givenPrograms } from './programs/program-target.ts';
import { makeScratch, removeScratch } from './scratch-folder.ts';
import { discreetWorker, guardSecrets } from './secret-guard.ts';

/** Everything that does the work on the nodes, wired together. */
export interface BatchWork {
  /** The nodes to hand to the worker: their secrets are hidden in all that it says. */
  readonly nodes: readonly BatchNode[];
  readonly worker: NodeWorker;
  /** Ends what was opened, and tells on standard error what the operator has to know. */
  close(): Promise<void>;
}

/** What the work is about. */
export interface WorkRequest {
  readonly batch: Batch;
  readonly nodes: readonly BatchNode[];
  readonly flags: WorkFlags;
  /** Fires when even what is in flight has to end. */
  readonly signal: AbortSignal;
}

/** Makes ready to work on these nodes. None is connected to yet. */
export async function openWork(environment: KeadmEnvironment, request: WorkRequest): Promise<BatchWork> {
  const { batch, flags, signal } = request;
  const given = givenPrograms(flags.program);
  const platform = await environment.loadPlatform(undefined);
  const scratch = await makeScratch(platform.files, tmpdir());
  const book = programBook(batch.keadm, given, { environment: { ...environment, signal }, scratch });
  const { hosts, recorded } = await openHosts(environment, flags);
  const guard = guardSecrets(request.nodes);
  const worker = remoteWorker({
    ...book,
    hosts,
    now: environment.now,
    random: randomBytes,
    delivery: batch.delivery,
    compress: batch.compress,
    scratchFolder: scratch,
    idleConnections: batch.policy.budgets.connections,
  });
  return {
    nodes: guard.nodes,
    worker: discreetWorker(worker, guard.hide),
    async close() {
      await worker.close();
      await removeScratch(platform.files, tmpdir(), scratch);
      for (const line of recorded) environment.terminal.err(`${line}\n`);
    },
  };
}
