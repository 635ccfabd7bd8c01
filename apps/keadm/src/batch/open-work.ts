import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { remoteWorker, type Batch, type BatchNode, type NodeWorker, type RemoteWorkerOptions } from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';
import type { WorkFlags } from './batch-options.ts';
import { openHosts } from './open-hosts.ts';
import { likelyTargets } from './programs/likely-targets.ts';
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
  /** Whether all the nodes are looked at before anything else: then the first of them are logged in to at once. */
  readonly surveysAll: boolean;
  /** Fires when even what is in flight has to end. */
  readonly signal: AbortSignal;
}

/** Makes ready to work on these nodes. None is asked anything yet, but the first may be being logged in to. */
export async function openWork(environment: KeadmEnvironment, request: WorkRequest): Promise<BatchWork> {
  const { batch, flags, signal } = request;
  const given = givenPrograms(flags.program);
  const platform = await environment.loadPlatform(undefined);
  const scratch = await makeScratch(platform.files, tmpdir());
  const book = programBook(batch.keadm, given, { environment: { ...environment, signal }, scratch });
  if (request.nodes.length <= FEW_NODES) {
    for (const { os, arch } of likelyTargets(batch.keadm, given, await platform.host.facts()))
      book.programs(os, arch).catch(() => undefined);
  }
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
    idleConnections: idleConnections(batch.policy.budgets.connections),
  });
  if (request.surveysAll) worker.approach(guard.nodes.slice(0, batch.policy.budgets.connections));
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

/**
 * So few nodes are logged in to at once, and while this machine waits for them the executable's digest is made. Logins at
 * more nodes keep it busy, and the digest would be in their way, perhaps for nothing.
 */
const FEW_NODES = 32;

/**
 * Between the survey and the change of a node lies the survey of all others. A connection that is kept meanwhile takes a
 * little memory; another login takes as much time as all that is asked there.
 */
const LIGHT_CONNECTIONS = 256;

function idleConnections(budget: number): RemoteWorkerOptions['idleConnections'] {
  return { light: Math.max(budget, LIGHT_CONNECTIONS), heavy: budget };
}
