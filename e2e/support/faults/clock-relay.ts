import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CLOUD_NAMESPACE, CLOUD_SECRETS } from '@fenestra/contracts';
import { KINDS, stringAt } from '@fenestra/kube-api';
import { mustRun } from '../beds/command.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { unlimited } from '../cloud/patience.ts';
import { openRelay } from '../cloud/relay.ts';
import type { Life } from '../lifecycle/administrator.ts';

const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60 * 1000;

/** A certificate and its key, PEM. */
interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A cloud's certificate server as it looks to a machine whose clock is wrong. */
export interface DatedServer {
  /** By how much the dates of its answers are off from now on. */
  setOffset(offsetMs: number): void;
  close(): Promise<void>;
}

/** Passes requests on to a cloud's certificate server, and changes the date of the answers. */
export async function openDatedServer(
  ports: { readonly port: number; readonly to: number },
  identity: Identity,
  firstOffsetMs: number,
): Promise<DatedServer> {
  let offsetMs = firstOffsetMs;
  const server = createServer(identity, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const target = { host: '127.0.0.1', port: ports.to, rejectUnauthorized: false };
    const onward = request({ ...target, method, path, headers }, (answer) => {
      const date = new Date(Date.now() + offsetMs).toUTCString();
      outgoing.writeHead(answer.statusCode ?? 0, { ...answer.headers, date });
      pipeline(answer, outgoing).catch(() => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    pipeline(incoming, onward).catch(() => outgoing.destroy());
  });
  server.listen(ports.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    setOffset(changed) {
      offsetMs = changed;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/**
 * Does the work while the node sees its cloud as a machine does whose clock is ten years ahead: the cloud's answers are
 * ten years old, and the certificate it shows has expired.
 */
export async function withClockOff<T>({ cloud, node }: Life, work: () => Promise<T>): Promise<T> {
  const { hub, https } = node.network.cloudPorts;
  const identity = await expiredIdentity(cloud);
  await node.network.cut();
  const toHub = await openRelay({ port: hub }, { port: cloud.ports.hub });
  const server = await openDatedServer({ port: https, to: cloud.ports.https }, identity, -TEN_YEARS_MS);
  try {
    return await work();
  } finally {
    await server.close();
    await toHub.close();
    await node.network.restore();
  }
}

/** A certificate of the cloud's own CA that was good until yesterday. */
async function expiredIdentity({ api }: Cloud): Promise<Identity> {
  const { name, certificate, key } = CLOUD_SECRETS.ca;
  const stored = await api.get(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, unlimited());
  const folder = await mkdtemp(join(tmpdir(), 'expired-'));
  const at = (file: string): string => join(folder, file);
  try {
    await writeFile(at('ca'), Buffer.from(stringAt(stored, 'data', certificate), 'base64'));
    await writeFile(at('ca.key'), Buffer.from(stringAt(stored, 'data', key), 'base64'), { mode: 0o600 });
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const names = ['-subj', '/CN=cloud', '-addext', 'subjectAltName=IP:127.0.0.1'];
    await openssl('req', '-new', ...curve, ...names, '-keyout', at('key'), '-out', at('request'));
    const signing = ['-CA', at('ca'), '-CAkey', at('ca.key'), '-copy_extensions', 'copy', '-days', '-1'];
    await openssl('x509', '-req', '-in', at('request'), ...signing, '-out', at('certificate'));
    return { cert: await readFile(at('certificate'), 'utf8'), key: await readFile(at('key'), 'utf8') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function openssl(...args: readonly string[]): Promise<void> {
  await mustRun(['openssl', ...args], {}, unlimited());
}
