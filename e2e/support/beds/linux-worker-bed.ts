/**
 * The Linux node that is to become a Kubernetes worker: the same Debian 12 with systemd, and in it Debian's own
 * containerd and runc, which run real containers. One tiny image is there; what is missing is a kubelet.
 */
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BedNode, NodeOptions } from './bed-node.ts';
import { commandFailed } from './command.ts';
import { KUBERNETES_NAMESPACE } from './containerd-bed.ts';
import { requirePackages } from './debian-packages.ts';
import { prepareLinuxWorker } from './linux-base.ts';
import { bootLinuxNode, type LinuxKind } from './linux-bed.ts';
import type { NodeRoot } from './node-root.ts';
import { makeTestImage } from './test-images.ts';

/** A machine that needs only a kubelet to be a worker. */
export interface LinuxWorker extends BedNode {
  /** Brings a network plugin, without which no node becomes ready. */
  addNetwork(): Promise<void>;
  removeNetwork(): Promise<void>;
  /** Runs containerd's own client and returns what it printed. */
  ctr(...args: readonly string[]): Promise<string>;
}

const NETWORK_FILE = '/etc/cni/net.d/10-pods.conflist';
const IMAGE_FILE = '/opt/image.tar';
const UNIT = 'prepare-kernel.service';
/** Files of the node, and those beside this one that they are copies of. */
const FILES: Readonly<Record<string, string>> = {
  '/etc/prepare-kernel.sh': 'prepare-kernel.sh',
  [`/etc/systemd/system/${UNIT}`]: UNIT,
  '/etc/containerd/config.toml': 'containerd.toml',
};
/** containerd puts layers over one another, which cannot be done where that has been done already. */
const RUNTIME_FOLDER = '/var/lib/containerd';

/** Boots a new node with a container runtime; its base is made first if this machine has none yet. */
export async function startLinuxWorker(options: NodeOptions, signal: AbortSignal): Promise<LinuxWorker> {
  await requirePackages(['busybox-static'], signal);
  const kind: LinuxKind = { base: await prepareLinuxWorker(signal), hierarchies: 'all', furnish };
  const node = await bootLinuxNode(kind, options, signal);
  try {
    const worker = workerOf(node);
    await loadImage(worker, signal);
    return worker;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function furnish(root: NodeRoot): Promise<readonly string[]> {
  for (const [path, source] of Object.entries(FILES)) {
    await mkdir(dirname(root.path(path)), { recursive: true });
    await copyFile(join(import.meta.dirname, 'worker', source), root.path(path));
  }
  await mkdir(root.path('/etc/systemd/system/sysinit.target.wants'), { recursive: true });
  await symlink(`/etc/systemd/system/${UNIT}`, root.path(`/etc/systemd/system/sysinit.target.wants/${UNIT}`));
  const kept = join(dirname(root.folder), 'containerd');
  await mkdir(root.cage.path(kept));
  return ['--capability=all', '--system-call-filter=@keyring', '--bind=/dev/kmsg', `--bind=${kept}:${RUNTIME_FOLDER}`];
}

function workerOf(node: BedNode): LinuxWorker {
  return {
    ...node,
    async addNetwork() {
      const text = await readFile(join(import.meta.dirname, 'worker', 'network.conflist'), 'utf8');
      await mkdir(node.hostPath(dirname(NETWORK_FILE)), { recursive: true });
      await writeFile(node.hostPath(NETWORK_FILE), text);
    },
    removeNetwork: async () => rm(node.hostPath(NETWORK_FILE), { force: true }),
    async ctr(...args) {
      const argv = ['--namespace', KUBERNETES_NAMESPACE, ...args];
      const result = await node.run('ctr', argv);
      if (result.exitCode !== 0) throw commandFailed(`ctr ${argv.join(' ')}`, result);
      return result.stdout;
    },
  };
}

async function loadImage(worker: LinuxWorker, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-image-'));
  try {
    await copyFile(await makeTestImage(folder, signal), worker.hostPath(IMAGE_FILE));
    await worker.ctr('images', 'import', IMAGE_FILE);
    await rm(worker.hostPath(IMAGE_FILE));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
