/**
 * A real Kubernetes control plane on loopback: etcd, kube-apiserver, kube-controller-manager and kube-scheduler,
 * as Debian's source package has them (v1.20.2). No node: that is what the tests bring.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { freePort } from '@fenestra/platform/testing/free-port';
import { runCommand } from '../command.ts';
import { requirePackages } from '../debian-packages.ts';
import { timed } from '../progress.ts';
import { prepareKubernetes } from './build-kubernetes.ts';
import { apiServerArgs, controllerArgs, etcdArgs, schedulerArgs, serverOf } from './control-plane-args.ts';
import { makeKeys, writeKubeconfig } from './control-plane-keys.ts';

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

const READY_MS = 120_000;

/** Starts a control plane; Kubernetes is built first if this machine has none yet, which takes some ten minutes. */
export async function startKubernetes(signal: AbortSignal): Promise<KubernetesBed> {
  await requirePackages(['openssl'], signal);
  const programs = await prepareKubernetes(signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-kubernetes-'));
  const ports = { etcd: await freePort(), peer: await freePort(), api: await freePort() };
  await mkdir(join(folder, 'etcd'), { mode: 0o700 });
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
    start('kube-scheduler', schedulerArgs(kubeconfig));
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
