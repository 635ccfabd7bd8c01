import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { CLOUD_NAMESPACE, CLOUD_SECRETS, parseJoinToken } from '@fenestra/contracts';
import { KINDS, openKubeApi, stringAt } from '@fenestra/kube-api';
import { openCloudAdmin, type CloudAdmin } from '@fenestra/lifecycle/cloud';
import type { ServiceProgram } from '@fenestra/platform';
import { freePort } from '@fenestra/platform/testing/free-port';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toPem } from './certificates/key-pair.ts';
import { runCloudcore } from './run-cloudcore.ts';
import { certificateRequest } from './testing/certificate-request.ts';
import { httpsRequest } from './testing/https-request.ts';
import { openTestThread } from './testing/open-test-thread.ts';
import { plainFiles } from './testing/plain-files.ts';
import { connectNode } from './testing/test-node.ts';

let folder = '';
let stop: (() => Promise<void>) | undefined;
const lines: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudcore-'));
});

afterEach(async () => {
  await stop?.();
  stop = undefined;
  await rm(folder, { recursive: true });
});

test('a cloud with the embedded API gives a node its certificate, takes it in, reloads, and lets it go', async () => {
  const ports = { hub: await freePort(), https: await freePort(), monitor: await freePort() };
  await writeConfig(ports, { nodeLimit: 1, dnsNames: [''] });
  const program = await start();
  const { jwt } = parseJoinToken(await storedToken());
  const monitor = `http://127.0.0.1:${ports.monitor}`;
  await vi.waitFor(async () => expect((await fetch(`${monitor}/readyz`)).status).toBe(200), 10_000);
  expect(await (await fetch(`${monitor}/healthz`)).text()).toBe('ok\n');

  const edge = await joinNode(ports.https, 'edge-1', jwt);
  const node = await connectNode(ports.hub, edge);
  const metrics = await (await fetch(`${monitor}/metrics`)).text();
  expect(metrics).toContain('KubeEdge_CloudHub_connected_nodes 1');
  expect(metrics).toContain('fenestra_certificates_issued_total 1');

  const second = await joinNode(ports.https, 'edge-2', jwt);
  await expect(connectNode(ports.hub, second)).rejects.toThrow('limit of 1 nodes');
  await writeConfig(ports, { nodeLimit: 2, dnsNames: ['cloud.example'] });
  await writeFile(join(folder, 'absent'), 'no certificate');
  await expect(program.reload()).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
  await expect(connectNode(ports.hub, second)).rejects.toThrow('limit of 1 nodes');
  await rm(join(folder, 'absent'));
  await program.reload();
  await connectNode(ports.hub, second);
  expect((await serverCertificate(ports.https)).subjectAltName).toBe('IP Address:127.0.0.1, DNS:cloud.example');

  await stop?.();
  stop = undefined;
  expect((await node.closed).code).toBe(1012);
  expect(lines.join('')).not.toContain(jwt.split('.')[2]);
});

test('a revoked node is cut off at once and after a restart, whatever it does, until it is admitted', async () => {
  const ports = { hub: await freePort(), https: await freePort(), monitor: await freePort() };
  await writeConfig(ports, { nodeLimit: 5 });
  await start();
  const { jwt } = parseJoinToken(await storedToken());
  const stolen = await joinNode(ports.https, 'edge-1', jwt);
  const session = await connectNode(ports.hub, stolen);
  const bystander = await connectNode(ports.hub, await joinNode(ports.https, 'edge-2', jwt));
  await asAdmin(async (admin, signal) => admin.revoke('edge-1', { now: new Date(), reason: 'stolen' }, signal));
  expect(await session.closed).toEqual({ code: 1008, reason: 'the certificate is revoked' });

  await stop?.();
  await start();
  await bystander.closed;
  await expect(connectNode(ports.hub, stolen)).rejects.toThrow(/^403: .*is revoked/);
  const renewal = { path: '/edge.crt', port: ports.https, cert: stolen.cert, key: stolen.key, ca: stolen.ca };
  const { csr } = await certificateRequest('edge-1');
  expect((await httpsRequest({ ...renewal, headers: { NodeName: 'edge-1' }, body: csr })).status).toBe(403);
  await expect(joinNode(ports.https, 'edge-1', jwt)).rejects.toThrow('403');

  const admitted = await asAdmin(async (admin, signal) => {
    const { id: revocation = '' } = (await admin.revocations(signal)).get('edge-1') ?? {};
    return admin.nodeToken({ node: 'edge-1', expiresAt: new Date(Date.now() + 60_000), revocation }, signal);
  });
  const fresh = await joinNode(ports.https, 'edge-1', parseJoinToken(admitted).jwt);
  await vi.waitFor(async () => connectNode(ports.hub, fresh), 30_000);
  await expect(connectNode(ports.hub, stolen)).rejects.toThrow(/^403: .*is revoked/);
  await asAdmin(async (admin, signal) => admin.lift('edge-1', signal));
  await vi.waitFor(async () => connectNode(ports.hub, stolen), 30_000);
});

test('the name of a deleted node that is still connected is not given away', async () => {
  const ports = { hub: await freePort(), https: await freePort(), monitor: await freePort() };
  await writeConfig(ports, { nodeLimit: 5 });
  await start();
  const { jwt } = parseJoinToken(await storedToken());
  const node = await connectNode(ports.hub, await joinNode(ports.https, 'edge-1', jwt));
  await expect(joinNode(ports.https, 'edge-1', jwt)).rejects.toThrow('403');
  node.socket.close();
  await node.closed;
  await vi.waitFor(async () => joinNode(ports.https, 'edge-1', jwt), 30_000);
});

test('flags: --defaultconfig and --minconfig print, an unknown flag says which there are', async () => {
  const printed: string[] = [];
  const environment = {
    ...ENVIRONMENT,
    serviceHost: { run: async () => 0 },
    print: (text: string) => printed.push(text),
  };
  expect(await runCloudcore(['--defaultconfig'], environment)).toBe(0);
  expect(await runCloudcore(['--minconfig'], environment)).toBe(0);
  expect(printed.map((text) => text.includes('kind: CloudCore'))).toEqual([true, true]);
  await expect(runCloudcore(['--nonsense'], environment)).rejects.toMatchObject({ code: 'USAGE' });
});

const ENVIRONMENT = {
  version: '0.0.0-test',
  now: () => new Date(),
  files: plainFiles(),
  openThread: openTestThread,
  writeLog: (line: string) => lines.push(line),
};

/** Runs cloudcore until the test is over; resolves when it is up. */
async function start(): Promise<ServiceProgram> {
  const up = Promise.withResolvers<ServiceProgram>();
  const over = Promise.withResolvers<void>();
  const serviceHost = {
    async run(_name: string, program: ServiceProgram) {
      await program.start(new AbortController().signal);
      up.resolve(program);
      await over.promise;
      await program.stop();
      return 0;
    },
  };
  const args = [
    '--config',
    join(folder, 'cloudcore.yaml'),
    '--embedded',
    join(folder, 'api'),
    '--embedded-address',
    '127.0.0.1:0',
  ];
  const ended = runCloudcore(args, { ...ENVIRONMENT, serviceHost });
  ended.catch(up.reject);
  stop = async () => {
    over.resolve();
    await ended;
  };
  return up.promise;
}

interface Ports {
  readonly hub: number;
  readonly https: number;
  readonly monitor: number;
}

async function writeConfig(ports: Ports, cloudHub: Readonly<Record<string, unknown>>): Promise<void> {
  const nowhere = join(folder, 'absent');
  const config = {
    kind: 'CloudCore',
    commonConfig: { monitorServer: { bindAddress: `127.0.0.1:${ports.monitor}` } },
    modules: {
      cloudHub: {
        ...cloudHub,
        advertiseAddress: ['127.0.0.1'],
        websocket: { address: '127.0.0.1', port: ports.hub },
        https: { address: '127.0.0.1', port: ports.https },
        tlsCAFile: nowhere,
        tlsCAKeyFile: nowhere,
        tlsCertFile: nowhere,
        tlsPrivateKeyFile: nowhere,
      },
    },
  };
  await writeFile(join(folder, 'cloudcore.yaml'), JSON.stringify(config));
}

async function asAdmin<T>(work: (admin: CloudAdmin, signal: AbortSignal) => Promise<T>): Promise<T> {
  const admin = await openCloudAdmin(join(folder, 'api', 'admin.kubeconfig'));
  try {
    return await work(admin, AbortSignal.timeout(30_000));
  } finally {
    admin.close();
  }
}

async function storedToken(): Promise<string> {
  const api = await openKubeApi({ kubeconfig: await readFile(join(folder, 'api', 'admin.kubeconfig'), 'utf8') });
  try {
    const { name, token } = CLOUD_SECRETS.token;
    const secret = await api.get(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, AbortSignal.timeout(30_000));
    return Buffer.from(stringAt(secret, 'data', token), 'base64').toString('utf8');
  } finally {
    api.close();
  }
}

async function joinNode(port: number, node: string, jwt: string) {
  const { csr, key } = await certificateRequest(node);
  const ca = toPem('CERTIFICATE', (await httpsRequest({ port, path: '/ca.crt' })).body);
  const headers = { NodeName: node, Authorization: `Bearer ${jwt}` };
  const { status, body } = await httpsRequest({ port, path: '/edge.crt', ca, headers, body: csr });
  if (status !== 200) throw new Error(`${status}: ${body.toString()}`);
  return { node, ca, cert: toPem('CERTIFICATE', body), key };
}

async function serverCertificate(port: number): Promise<X509Certificate> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) throw new Error('The server showed no certificate');
  return certificate;
}
