/**
 * A real container runtime: Debian's containerd and runc, in namespaces of their own, with one tiny image made on the
 * spot. Everything in it, its containers too, ends with this process, however that ends.
 */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import { type Cage, openCage } from './cage.ts';
import { commandFailed } from './command.ts';
import { requirePackages } from './debian-packages.ts';
import { makeImage } from './oci-image.ts';
import { childrenOf, killTree } from './process-tree.ts';
import { timed } from './progress.ts';

/** A running containerd. */
export interface ContainerdBed {
  /** As keadm takes it. */
  readonly endpoint: string;
  /** Runs containerd's own client in one of its namespaces and returns what it printed. */
  ctr(namespace: string, args: readonly string[]): Promise<string>;
  /** Keeps containerd from doing anything, as one that hangs. */
  freeze(): void;
  /** Ends containerd at once, as a crash would. Its containers run on. */
  kill(): Promise<void>;
  /** Starts it again, perhaps without the part that Kubernetes speaks to. */
  start(options: ContainerdOptions): Promise<void>;
  stop(): Promise<void>;
}

/** How containerd is set up. */
export interface ContainerdOptions {
  readonly cri: boolean;
}

/** The one image there is: it sleeps until it is told to end. */
export const TEST_IMAGE = 'fenestra.test/sleeper:1';
/** The namespace in which containerd keeps what belongs to Kubernetes. */
export const KUBERNETES_NAMESPACE = 'k8s.io';
/** One in which someone else keeps something. */
export const OTHERS_NAMESPACE = 'others';

const NAMESPACES: readonly string[] = [KUBERNETES_NAMESPACE, OTHERS_NAMESPACE];

const SLEEP = ['/bin/sh', '-c', 'trap "exit 0" TERM; while :; do /bin/busybox sleep 1 & wait $!; done'];
const READY_MS = 60_000;

/** Starts its own containerd, with its image loaded for Kubernetes and for others. */
export async function startContainerd(signal: AbortSignal): Promise<ContainerdBed> {
  await requirePackages(['containerd', 'runc', 'busybox-static'], signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-containerd-'));
  const cage = await openCage('containerd', signal);
  const bed = bedIn(cage, folder, signal);
  try {
    // runc and the shims keep their state here, whatever they are told.
    await cage.mount(['-t', 'tmpfs', 'tmpfs', '/run'], signal);
    await timed('starting containerd', async () => {
      await bed.start({ cri: true });
      const image = await makeTestImage(join(folder, 'image'), signal);
      for (const namespace of NAMESPACES) await bed.ctr(namespace, ['images', 'import', image]);
    });
    return bed;
  } catch (error) {
    await bed.stop();
    throw error;
  }
}

/** Makes an archive with the image, and returns its path. */
export async function makeTestImage(folder: string, signal: AbortSignal): Promise<string> {
  return makeImage(folder, TEST_IMAGE, SLEEP, signal);
}

function bedIn(cage: Cage, folder: string, signal: AbortSignal): ContainerdBed {
  const socket = join(folder, 'containerd.sock');
  const config = join(folder, 'config.toml');
  const log = join(folder, 'containerd.log');
  let gone: Promise<unknown> = Promise.resolve();
  /** The process that entered the cage; containerd is its child. */
  let entered = 0;

  async function ctr(namespace: string, args: readonly string[]): Promise<string> {
    const argv = ['ctr', '--address', socket, '--namespace', namespace, ...args];
    const result = await cage.run(argv, {}, signal);
    if (result.exitCode !== 0) throw commandFailed(argv.join(' '), result);
    return result.stdout;
  }

  async function removeTasks(namespace: string): Promise<void> {
    const tasks = (await ctr(namespace, ['tasks', 'list', '--quiet'])).split('\n').filter((id) => id !== '');
    if (tasks.length > 0) await ctr(namespace, ['tasks', 'delete', '--force', ...tasks]);
  }

  async function isReady(): Promise<boolean> {
    return (await cage.run(['ctr', '--address', socket, 'version'], {}, signal)).exitCode === 0;
  }

  return {
    endpoint: `unix://${socket}`,
    ctr,
    async start(options) {
      await mkdir(join(folder, 'cni'), { recursive: true });
      await writeFile(config, configText(folder, options));
      const child = cage.spawn(['containerd', '--config', config], { stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream?.pipe(createWriteStream(log, { flags: 'a' }));
      entered = child.pid ?? 0;
      gone = once(child, 'exit');
      await waitUntil(isReady, log, signal);
    },
    freeze() {
      for (const pid of childrenOf(entered)) process.kill(pid, 'SIGSTOP');
    },
    async kill() {
      // The shims that hold the containers have left this tree, as daemons do.
      const doomed = childrenOf(entered);
      killTree(entered);
      await gone;
      while (doomed.some((pid) => existsSync(`/proc/${pid}`))) await delay(10, undefined, { signal });
    },
    async stop() {
      // The kernel keeps the control groups of containers that no one removed.
      for (const namespace of NAMESPACES) await removeTasks(namespace).catch(() => undefined);
      await cage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configText(folder: string, { cri }: ContainerdOptions): string {
  return `version = 2
root = "${folder}/root"
state = "${folder}/state"
disabled_plugins = [${cri ? '' : '"io.containerd.grpc.v1.cri"'}]

[grpc]
address = "${folder}/containerd.sock"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${TEST_IMAGE}"
stream_server_address = "127.0.0.1"
disable_apparmor = true
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${folder}/cni"
conf_dir = "${folder}/cni"

[plugins."io.containerd.internal.v1.opt"]
path = "${folder}/opt"
`;
}

async function waitUntil(isReady: () => Promise<boolean>, log: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw await neverReady(log);
    await delay(200, undefined, { signal });
  }
}

async function neverReady(log: string): Promise<OperatorError> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return new OperatorError('TIMED_OUT', `Cannot start containerd within ${READY_MS / 1000} s`, {
    hint: `Read its log: ${text.slice(-1500)}`,
  });
}
