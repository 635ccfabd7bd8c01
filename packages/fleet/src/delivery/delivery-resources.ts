import { OperatorError } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import type { CommandEffect } from '../far-end/command-effect.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import { type Connections, openConnections } from './connections.ts';
import { hasCode, tookTooLong } from './failures.ts';
import { SENT, type FarSystem, type Places, type Task } from './far-system.ts';
import { openPacker } from './loads.ts';
import { EMPTY_PARCEL, type Parcel, readParcel } from './parcel.ts';
import { posixSystem } from './posix/posix-system.ts';
import { openPullServer } from './pull-server.ts';
import { windowsSystem } from './windows/windows-system.ts';
import type { RemoteWorkerOptions } from './worker-options.ts';

/** What all parts of the work on all nodes of a run share. */
export interface DeliveryResources {
  readonly options: RemoteWorkerOptions;
  readonly connections: Connections;
  readonly systems: Readonly<Record<NodeSurvey['os'], FarSystem>>;
  /** Surveys of which nothing has been used yet, so that what they say of the store still holds. */
  readonly fresh: WeakSet<NodeSurvey>;
  /** What a folder of this machine holds, read once. */
  parcel(node: BatchNode): Promise<Parcel>;
  /** What the node's command does. */
  readonly effect: (node: BatchNode) => Promise<CommandEffect>;
  close(): Promise<void>;
}

/** Opens it for one run. */
export function openDeliveryResources(options: RemoteWorkerOptions): DeliveryResources {
  const connections = openConnections(options.hosts, options.idleConnections);
  const [pullServer, packer] = [openPullServer(options), openPacker(options)];
  const parcels = new Map<string, Promise<Parcel>>();
  const effects = new WeakMap<BatchNode, Promise<CommandEffect>>();
  return {
    options,
    connections,
    systems: {
      linux: posixSystem({ ...options, packer, pullServer }),
      windows: windowsSystem(options.programs),
    },
    fresh: new WeakSet(),
    async parcel({ copyFrom }) {
      if (copyFrom === undefined) return EMPTY_PARCEL;
      const parcel = parcels.get(copyFrom) ?? readParcel(copyFrom);
      parcels.set(copyFrom, parcel);
      return parcel;
    },
    effect: async (node) => {
      const effect = effects.get(node) ?? options.effectOf(node.shownCommand);
      effects.set(node, effect);
      return effect;
    },
    async close() {
      await Promise.all([connections.close(), pullServer.close()]);
      await packer.close();
    },
  };
}

interface Part {
  readonly node: BatchNode;
  readonly context: WorkContext;
  readonly activity: string;
  readonly seconds: number;
}

/** Does a part of the work over a connection to the node, within its limit. */
export async function overConnection<T>(
  { connections, effect: effectOf }: DeliveryResources,
  { node, context, activity, seconds }: Part,
  work: (task: Task) => Promise<T>,
): Promise<T> {
  const effect = await effectOf(node);
  return limited(
    {
      node: node.name,
      activity,
      seconds,
      run: async (signal) =>
        connections.use(
          { node, log: context.log },
          async (host) => work({ node, effect, host, context, signal }),
          signal,
        ),
    },
    context.signal,
  );
}

/** Where things of the run are on a node that was surveyed. */
export async function placesOn(
  { systems, options, effect }: DeliveryResources,
  node: BatchNode,
  { os, arch, notes }: NodeSurvey,
  { runId }: WorkContext,
): Promise<Places> {
  const sha256 = notes[SENT] ?? (await options.programs(os, arch)).sha256;
  const { root } = await effect(node);
  return systems[os].places({ name: node.name, runId, root }, notes, sha256);
}

interface LimitedWork<T> {
  readonly node: string;
  readonly activity: string;
  readonly seconds: number;
  readonly run: (signal: AbortSignal) => Promise<T>;
}

/** Does it within its limit; more is REMOTE_TIMEOUT. */
export async function limited<T>({ node, activity, seconds, run }: LimitedWork<T>, signal: AbortSignal): Promise<T> {
  const limit = within(Math.min(seconds * 1000, LONGEST_TIMER_MS), signal);
  try {
    return await run(limit);
  } catch (error) {
    const isOfLimit = limit.aborted && (hasCode(error, 'TIMED_OUT') || !(error instanceof OperatorError));
    if (isOfLimit && !signal.aborted) throw tookTooLong(node, activity, seconds, error);
    throw error;
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;
