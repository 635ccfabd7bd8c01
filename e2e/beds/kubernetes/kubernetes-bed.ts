/**
 * A real Kubernetes control plane on loopback: etcd, kube-apiserver, kube-controller-manager and kube-scheduler,
 * as Debian's source package has them (v1.20.2). No node: that is what the tests bring.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { mustRun, runCommand } from '../command.ts';
import { requirePackages } from '../debian-packages.ts';
import { timed } from '../progress.ts';
import { prepareKubernetes } from './build-kubernetes.ts';

/** A running control plane. */
export interface KubernetesBed {
  /** The folder with its programs; kubelet and kubeadm of the same version are among them. */
  readonly programs: string;
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  /** The certificate of the cluster's authority, which has issued the API server's and issues the nodes'. */
  readonly caFile: string;
  /** The administrator's kubeconfig. */
  readonly kubeconfig: string;
  kubectl(args: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** Ends the API server at once and starts it again, as a crash would. */
  restartApiServer(): Promise<void>;
  stop(): Promise<void>;
}

const ADMIN_TOKEN = 'admin-of-the-test-bed';
const READY_MS = 120_000;

/** Starts a control plane; Kubernetes is built first if this machine has none yet, which takes some ten minutes. */
export async function startKubernetes(signal: AbortSignal): Promise<KubernetesBed> {
  await requirePackages(['openssl'], signal);
  const programs = await prepareKubernetes(signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-kubernetes-'));
  const ports = { etcd: await freePort(), peer: await freePort(), api: await freePort() };
  await makeKeys(folder, signal);
  const running = new Map<string, ChildProcess>();

  function start(name: string, args: readonly string[]): void {
    // It ends with this process, however that ends.
    const argv = ['--pdeathsig', 'KILL', join(programs, name), ...args];
    const child = spawn('setpriv', argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    running.set(name, child);
  }

  const kubeconfig = join(folder, 'admin.kubeconfig');
  const kubectl: KubernetesBed['kubectl'] = async (args) =>
    runCommand([join(programs, 'kubectl'), '--kubeconfig', kubeconfig, ...args], {}, signal);
  const isReady = async (): Promise<boolean> => (await kubectl(['get', '--raw', '/readyz'])).stdout === 'ok';

  await timed('starting Kubernetes', async () => {
    start('etcd', etcdArgs(folder, ports));
    start('kube-apiserver', apiServerArgs(folder, ports));
    await writeKubeconfig(folder, kubeconfig, serverOf(ports), signal);
    await waitUntil(isReady, 'kube-apiserver', folder, signal);
    start('kube-controller-manager', controllerArgs(folder, kubeconfig));
    start('kube-scheduler', ['--kubeconfig', kubeconfig, '--leader-elect=false', '--port=0', '--secure-port=0']);
  });

  return {
    programs,
    server: serverOf(ports),
    caFile: join(folder, 'ca.crt'),
    kubeconfig,
    kubectl,
    async restartApiServer() {
      await end(running.get('kube-apiserver'));
      start('kube-apiserver', apiServerArgs(folder, ports));
      await waitUntil(isReady, 'kube-apiserver', folder, signal);
    },
    async stop() {
      for (const child of [...running.values()].toReversed()) await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Ports {
  readonly etcd: number;
  readonly peer: number;
  readonly api: number;
}

function serverOf({ api }: Ports): string {
  return `https://127.0.0.1:${api}`;
}

function etcdArgs(folder: string, { etcd, peer }: Ports): readonly string[] {
  const [client, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    '--unsafe-no-fsync',
  ];
}

function apiServerArgs(folder: string, { etcd, api }: Ports): readonly string[] {
  const key = join(folder, 'service-accounts.key');
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${api}`,
    `--tls-cert-file=${join(folder, 'server.crt')}`,
    `--tls-private-key-file=${join(folder, 'server.key')}`,
    `--client-ca-file=${join(folder, 'ca.crt')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--enable-bootstrap-token-auth',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--insecure-port=0',
  ];
}

function controllerArgs(folder: string, kubeconfig: string): readonly string[] {
  return [
    '--kubeconfig',
    kubeconfig,
    '--leader-elect=false',
    '--port=0',
    '--secure-port=0',
    '--use-service-account-credentials=true',
    '--controllers=*,bootstrapsigner,tokencleaner',
    `--service-account-private-key-file=${join(folder, 'service-accounts.key')}`,
    `--root-ca-file=${join(folder, 'ca.crt')}`,
    `--cluster-signing-cert-file=${join(folder, 'ca.crt')}`,
    `--cluster-signing-key-file=${join(folder, 'ca.key')}`,
  ];
}

async function makeKeys(folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(join(folder, 'etcd'), { mode: 0o700 });
  const openssl = async (...args: readonly string[]): Promise<unknown> =>
    mustRun(['openssl', ...args.map((arg) => arg.replace('@', `${folder}/`))], {}, signal);
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test-bed',
    '-keyout',
    '@ca.key',
    '-out',
    '@ca.crt',
  );
  await openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=kube-apiserver',
    '-keyout',
    '@server.key',
    '-out',
    '@server.csr',
  );
  await writeFile(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc\n');
  await openssl(
    'x509',
    '-req',
    '-in',
    '@server.csr',
    '-CA',
    '@ca.crt',
    '-CAkey',
    '@ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    '@names',
    '-out',
    '@server.crt',
  );
  await openssl('genrsa', '-out', '@service-accounts.key', '2048');
  await writeFile(join(folder, 'tokens.csv'), `${ADMIN_TOKEN},admin,admin,system:masters\n`, { mode: 0o600 });
}

async function writeKubeconfig(folder: string, file: string, server: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const ca = (await readFile(join(folder, 'ca.crt'))).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bed',
    clusters: [{ name: 'bed', cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
    contexts: [{ name: 'bed', context: { cluster: 'bed', user: 'admin' } }],
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
}

async function waitUntil(
  isReady: () => Promise<boolean>,
  name: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw await neverReady(name, folder);
    await delay(500, undefined, { signal });
  }
}

async function neverReady(name: string, folder: string): Promise<OperatorError> {
  const log = await readFile(join(folder, `${name}.log`), 'utf8').catch(() => '');
  return new OperatorError('TIMED_OUT', `Cannot start ${name} within ${READY_MS / 1000} s`, {
    hint: `Read its log: ${log.slice(-1500)}`,
  });
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
