import { join } from 'node:path';
import { DEFAULT_PROJECT_ID, OPERATIONS, type Message } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { HubLink } from '../../../apps/edgecore/src/hub/hub-link.ts';
import { keepConnected } from '../../../apps/edgecore/src/hub/keep-connected.ts';
import { createAlarm, type Alarm } from '../../../apps/edgecore/src/modules/waiting.ts';
import { applyMessage } from '../../../apps/edgecore/src/meta/apply-message.ts';
import type { MetaStore } from '../../../apps/edgecore/src/meta/store/meta-store.ts';
import { openMetaStore } from '../../../apps/edgecore/src/meta/store/open-meta-store.ts';
import type { ClientCertificate } from '../../../bench/hub/credentials.ts';

/** Many nodes in this process: each with the agent's own hub client, its reconnecting and its memory on disk. */
export interface Fleet {
  /**
   * When each further try to connect was due, in milliseconds. When it began would tell more of this process, which
   * all nodes share: once it is busy for a moment, whatever was due in that moment begins together.
   */
  readonly dueTries: readonly number[];
  /** How often each version of each object came to a node, and how often it changed what the node has. */
  readonly deliveries: ReadonlyMap<string, Counted>;
  connected(): number;
  /** How many nodes have on disk, under their own resource string, what fulfils a condition. */
  holding(resource: (node: string) => string, fulfils: (content: string) => boolean): number;
  stop(): Promise<void>;
}

/** One version of one object at one node. */
export interface Counted {
  readonly node: string;
  readonly resource: string;
  readonly operation: string;
  delivered: number;
  applied: number;
}

/** Where the nodes connect to and keep their memory. */
export interface FleetOptions {
  readonly clients: readonly ClientCertificate[];
  readonly port: number;
  readonly folder: string;
}

interface Member {
  readonly node: string;
  readonly link: HubLink;
  readonly store: MetaStore;
}

/** Starts the nodes; they stay connected until they are stopped. */
export function startFleet({ clients, port, folder }: FleetOptions): Fleet {
  const stopping = new AbortController();
  const dueTries: number[] = [];
  const deliveries = new Map<string, Counted>();
  const members = clients.map(({ node }) => openMember(node, folder, deliveries));
  const lives = clients.map(async (client, index) => {
    const member = members[index];
    if (member !== undefined) await live(member, client, { port, dueTries }, stopping.signal);
  });
  return {
    dueTries,
    deliveries,
    connected: () => members.filter(({ link }) => link.connected).length,
    holding: (resource, fulfils) =>
      members.filter(({ node, store }) => fulfils(store.getMeta(resource(node))?.value ?? '')).length,
    async stop() {
      stopping.abort();
      await Promise.all(lives);
      for (const { store } of members) store.close();
    },
  };
}

function openMember(node: string, folder: string, deliveries: Map<string, Counted>): Member {
  const log = silentLogger();
  const store = openMetaStore(join(folder, `${node}.db`), { log, now: () => new Date() });
  const link = new HubLink(log);
  link.onMessage((message) => {
    const counted = count(deliveries, node, message);
    counted.applied += applyMessage(store, message).length;
  });
  return { node, link, store };
}

function count(deliveries: Map<string, Counted>, node: string, message: Message): Counted {
  const { operation, resource } = message.route;
  const key = [node, resource, operation === OPERATIONS.delete ? 'deleted' : message.header.resourceVersion].join(' ');
  const counted = deliveries.get(key) ?? { node, resource, operation, delivered: 0, applied: 0 };
  counted.delivered += 1;
  deliveries.set(key, counted);
  return counted;
}

async function live(
  { node, link }: Member,
  { ca, cert, key }: ClientCertificate,
  { port, dueTries }: { port: number; dueTries: number[] },
  signal: AbortSignal,
): Promise<void> {
  const identity = { ca, certificate: cert, key };
  const log = silentLogger();
  await keepConnected(
    {
      link,
      keeper: {
        current: async () => identity,
        renew: async () => identity,
        heal: async () => false,
      },
      connection: { server: `127.0.0.1:${port}`, nodeName: node, projectId: DEFAULT_PROJECT_ID, log },
      pace: () => PACE,
      now: () => new Date(),
      random: Math.random,
      log,
      onProblem: () => {},
      retryNow: noting(dueTries),
    },
    signal,
  );
}

/** No one rings this alarm; it only writes down when its waits are to end. */
function noting(ends: number[]): Alarm {
  const alarm = createAlarm();
  return {
    ring: alarm.ring,
    async wait(limitMs, signal) {
      ends.push(performance.now() + limitMs);
      await alarm.wait(limitMs, signal);
    },
  };
}

/** The agent's defaults. */
const PACE = {
  rotate: false,
  handshakeTimeoutMs: 30_000,
  writeDeadlineMs: 15_000,
  heartbeatMs: 15_000,
  messagesPerSecond: 30,
  messageBurst: 60,
};
