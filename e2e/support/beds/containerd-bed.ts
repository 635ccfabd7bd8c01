/**
 * A real container runtime: Debian's containerd and runc, in namespaces of their own, with one tiny image made on the
 * spot. Everything in it, its containers too, ends with this process, however that ends.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cage, openCage } from './cage.ts';
import { type ContainerdDaemon, containerdDaemon } from './containerd-daemon.ts';
import { requirePackages } from './debian-packages.ts';
import { timed } from './progress.ts';
import { makeTestImage, TEST_IMAGE } from './test-images.ts';

/** A running containerd. */
export interface ContainerdBed extends Omit<ContainerdDaemon, 'start'> {
  /** Starts it again, perhaps without the part that Kubernetes speaks to. */
  start(options: ContainerdOptions): Promise<void>;
  stop(): Promise<void>;
}

/** How containerd is set up. */
export interface ContainerdOptions {
  readonly cri: boolean;
}

/** The namespace in which containerd keeps what belongs to Kubernetes. */
export const KUBERNETES_NAMESPACE = 'k8s.io';
/** One in which someone else keeps something. */
export const OTHERS_NAMESPACE = 'others';

const NAMESPACES: readonly string[] = [KUBERNETES_NAMESPACE, OTHERS_NAMESPACE];

/** Starts its own containerd, with its image loaded for Kubernetes and for others. */
export async function startContainerd(signal: AbortSignal): Promise<ContainerdBed> {
  await requirePackages(['containerd', 'runc', 'busybox-static'], signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-containerd-'));
  const cage = await openCage('containerd', signal);
  const bed = bedIn(cage, folder, signal);
  try {
    // runc and the shims keep their state here, whatever their options say.
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

function bedIn(cage: Cage, folder: string, signal: AbortSignal): ContainerdBed {
  const daemon = containerdDaemon({ cage, folder }, signal);

  async function removeTasks(namespace: string): Promise<void> {
    const tasks = (await daemon.ctr(namespace, ['tasks', 'list', '--quiet'])).split('\n').filter((id) => id !== '');
    if (tasks.length > 0) await daemon.ctr(namespace, ['tasks', 'delete', '--force', ...tasks]);
  }

  return {
    ...daemon,
    async start(options) {
      await mkdir(join(folder, 'cni'), { recursive: true });
      await daemon.start(configText(folder, options));
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
