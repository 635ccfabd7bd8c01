import { newMessage, DEFAULT_PROJECT_ID, encodeMessage, type Message } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { createServer } from 'node:https';
import { WebSocketServer, type WebSocket } from 'ws';
import { defaultLimits } from '../../apps/cloudcore/src/hub/hub-limits.ts';
import { Hub } from '../../apps/cloudcore/src/hub/hub.ts';
import { WINDOW } from '../../apps/cloudcore/src/hub/window-options.ts';
import { startNodeServer } from '../../apps/cloudcore/src/server/node-server.ts';
import { readServerCertificate } from './credentials.ts';
import { sharedNow, takeOrders, type Figures, type Handlers } from './orders.ts';

type Broadcast = Handlers<'broadcast'>['broadcast'];

interface Result {
  startedAt: number;
  latencies: number[];
}

const FAILING = 'failing';
let broadcast: Broadcast = () => ({ startedAt: 0, latencies: [] });
let hub: Hub | undefined;

const handlers: Handlers<'listen' | 'figures' | 'broadcast' | 'trouble'> = {
  listen: async ({ mode, port, folder }) => (mode === 'ours' ? listenOurs(port, folder) : listenBare(port, folder)),
  figures,
  broadcast: async (take) => broadcast(take),
  trouble: ({ on }) => {
    for (const node of hub?.sessions.nodes() ?? []) {
      if (on) hub?.sessions.deliver(node, { key: FAILING, resourceVersion: '1', message: configMap(FAILING, 1, 100) });
      else hub?.sessions.forget(node, FAILING);
    }
    return null;
  },
};
takeOrders(handlers);

async function listenOurs(port: number, folder: string): Promise<{ port: number }> {
  const log = silentLogger();
  const opened = new Hub({ limits: defaultLimits(), window: WINDOW, log, now: () => performance.now() });
  hub = opened;
  broadcast = async (take) => broadcastOurs(opened, take);
  const certificate = readServerCertificate(folder);
  const projects = [DEFAULT_PROJECT_ID];
  const place = { address: '127.0.0.1', port, certificate, hub: opened, projects, log };
  return startNodeServer({ ...place, nodeLimit: () => 100_000, isRevoked: () => false, now: () => new Date() });
}

/** As bare as it can be: mutual TLS, no compression, every message read and dropped. */
async function listenBare(port: number, folder: string): Promise<{ port: number }> {
  const { cert, key, ca } = readServerCertificate(folder);
  const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
  const sockets = new Set<WebSocket>();
  new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false }).on('connection', (socket) => {
    sockets.add(socket);
    socket.on('message', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  broadcast = ({ round, bytes }) => {
    const startedAt = sharedNow();
    const frame = encodeMessage(configMap('shared', round, bytes));
    for (const socket of sockets) socket.send(frame, { binary: false });
    return { startedAt, latencies: [] };
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = server.address();
  return { port: typeof bound === 'object' && bound !== null ? bound.port : port };
}

/** Resolves when all nodes have acknowledged, but for the one that never does. */
async function broadcastOurs({ sessions }: Hub, { round, bytes }: Parameters<Broadcast>[0]): Promise<Result> {
  const nodes = sessions.nodes();
  const message = configMap('shared', round, bytes);
  const resourceVersion = String(round);
  const waiting = new Set(nodes);
  const latencies: number[] = [];
  const done = later();
  const startedAt = sharedNow();
  const unsubscribe = sessions.onAcknowledged((node, _key, version) => {
    if (version !== resourceVersion || !waiting.delete(node)) return;
    latencies.push(sharedNow() - startedAt);
    if (waiting.size > 1 || (waiting.size === 1 && !waiting.has('node-0'))) return;
    setTimeout(() => done.resolve({ startedAt, latencies }), waiting.size === 0 ? 0 : 20);
  });
  for (const node of nodes) sessions.deliver(node, { key: 'shared', resourceVersion, message });
  const result = await done.promise;
  unsubscribe();
  return result;
}

function later() {
  return Promise.withResolvers<Result>();
}

function configMap(name: string, version: number, bytes: number): Message {
  const resourceVersion = String(version);
  const metadata = { name, namespace: 'default', uid: name, resourceVersion };
  const route = {
    source: 'edgecontroller',
    group: 'resource',
    operation: 'update',
    resource: `default/configmap/${name}`,
  };
  return newMessage({ ...route, resourceVersion, content: { metadata, data: { value: 'x'.repeat(bytes) } } });
}

function figures(): Figures {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  return { residentBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 };
}
