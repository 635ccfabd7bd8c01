/**
 * A container runtime that runs whole pods: a containerd with a pod network, in separate namespaces and a separate control group,
 * with a sandbox image, a small system to run, and a registry. It all ends with this process, however that ends.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cage, openCage } from './cage.ts';
import { type ContainerdDaemon, containerdDaemon } from './containerd-daemon.ts';
import { KUBERNETES_NAMESPACE } from './containerd-bed.ts';
import { requirePackages } from './debian-packages.ts';
import { podConfiguration } from './pod-configuration.ts';
import { openPodGroups } from './pod-groups.ts';
import { timed } from './progress.ts';
import { type Registry, startRegistry } from './registry.ts';
import { makePauseImage, makePodImage } from './test-images.ts';
import { unpackedFrom } from './unpacked-package.ts';

/** Whose containerd it is: this machine's own Debian's, or that of a release by its name, such as `trixie`. */
export type ContainerdRelease = 'installed' | 'trixie' | 'sid';

/** A running container runtime, and the place where its pods are. */
export interface PodRuntime extends Omit<ContainerdDaemon, 'start'>, Registry {
  /** Where its pods are: programs that are run in it can reach them, and see the control groups that they are in. */
  readonly cage: Cage;
  /** For files of a test, which are removed with it. */
  readonly folder: string;
  /** Starts containerd again after it was killed, perhaps with another configuration from now on. */
  start(change?: (configuration: string) => string): Promise<void>;
  /** Ends and removes everything. */
  stop(): Promise<void>;
}

const PACKAGES = ['containerd', 'runc', 'containernetworking-plugins', 'iptables', 'iproute2', 'catatonit'];

/** What a runtime may have that others have not. */
export interface PodRuntimeOptions {
  /** The size of a separate disk, in memory, for images and containers. */
  readonly storeMebibytes?: number;
}

/** Starts a container runtime with its images, ready to run pods. */
export async function startPodRuntime(
  signal: AbortSignal,
  release: ContainerdRelease = 'installed',
  { storeMebibytes }: PodRuntimeOptions = {},
): Promise<PodRuntime> {
  await requirePackages([...PACKAGES, 'busybox-static'], signal);
  const programs = await programsOf(release, signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-pods-'));
  const groups = await openPodGroups();
  const cage = await openCage('pods', signal, { network: true, ...groups.parts });
  async function stop(): Promise<void> {
    await cage.close();
    await groups.remove();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await prepareCage(cage, signal);
    await groups.mount(cage, signal);
    if (storeMebibytes !== undefined) {
      const store = join(folder, 'root');
      await mkdir(store);
      await cage.mount(['-t', 'tmpfs', '-o', `size=${storeMebibytes}m`, 'tmpfs', store], signal);
    }
    const daemon = containerdDaemon({ cage, folder, ...(programs !== undefined && { programs }) }, signal);
    let configuration = await podConfiguration(folder, release === 'sid' ? 'version 3' : 'version 2');
    const start: PodRuntime['start'] = async (change = (text) => text) =>
      daemon.start((configuration = change(configuration)));
    await timed(`starting containerd (${release})`, async () => start());
    const registry = await addImages(daemon, cage, folder, signal);
    return { ...daemon, ...registry, cage, folder, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function programsOf(release: ContainerdRelease, signal: AbortSignal): Promise<string | undefined> {
  if (release === 'installed') return undefined;
  return join(await unpackedFrom(release, ['containerd'], signal), 'usr/bin');
}

async function prepareCage(cage: Cage, signal: AbortSignal): Promise<void> {
  // Network namespaces of pods, and the state of runc and the shims, are kept here, whatever they are configured to.
  await cage.mount(['-t', 'tmpfs', 'tmpfs', '/run'], signal);
  await cage.run(['ip', 'link', 'set', 'lo', 'up'], {}, signal);
}

/** Imports the images, before the first pod needs them, and serves the small system from a registry. */
async function addImages(daemon: ContainerdDaemon, cage: Cage, folder: string, signal: AbortSignal): Promise<Registry> {
  const images = [
    await makePauseImage(join(folder, 'pause'), signal),
    await makePodImage(join(folder, 'system'), signal),
  ];
  for (const image of images) await daemon.ctr(KUBERNETES_NAMESPACE, ['images', 'import', image]);
  return startRegistry(cage, join(folder, 'system/layout'), join(folder, 'registry.log'), signal);
}
