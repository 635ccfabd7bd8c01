import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ContainerRuntime } from '@fenestra/cri';
import {
  type Container,
  containerConfig,
  containerEnvironment,
  type ContainerEnvironment,
  hostsFile,
  HOSTS_FILE,
  LABELS,
  newestSandbox,
  parseResolvConf,
  type Pod,
  podCgroup,
  podUidOfCgroup,
  podDns,
  podLogFolder,
  type SandboxConfig,
  sandboxConfig,
  securityProblem,
  terminationFile,
  type VolumeFacts,
} from '@fenestra/pods';
import type { PodHost } from '@fenestra/platform';
import type { NodeMemory } from '../meta/node-memory.ts';
import { containerMounts } from './container-mounts.ts';
import type { EdgedSettings } from './edged-settings.ts';
import type { ImagePuller } from './image-puller.ts';
import type { Hooks, HookTarget } from './hooks.ts';
import type { PodObserver } from './observe-pod.ts';
import { podReferences } from './pod-references.ts';
import { prepareVolumes, type ReadyVolumes } from './pod-volumes.ts';
import type { PodTokens } from './pod-tokens.ts';
import type { PodActs } from './pod-worker.ts';
import { probedAddress } from './probes/pod-prober.ts';
import { StartError } from './start-error.ts';

/** What acting on pods takes. */
export interface PodActsOptions {
  readonly runtime: ContainerRuntime;
  readonly observe: PodObserver;
  readonly memory: NodeMemory;
  readonly host: PodHost;
  readonly puller: ImagePuller;
  readonly tokens: PodTokens;
  readonly hooks: Hooks;
  readonly settings: EdgedSettings;
  readonly os: 'linux' | 'windows';
  readonly hostIps: () => readonly string[];
  readonly machine: { readonly cpuCount: number; readonly memoryBytes: number };
  readonly now: () => number;
}

const HOSTS = '/etc/hosts';
const LOG_FOLDER_MODE = 0o755;
const POD_FOLDER_MODE = 0o750;
const TERMINATION_FILE_MODE = 0o666;
const HOSTS_FILE_MODE = 0o644;

/** What is done for pods that have no worker. */
export interface PodRemoval {
  /** Removes what the runtime and the disk still have of a pod of which nothing runs any more. */
  removePod(uid: string, signal: AbortSignal): Promise<void>;
  /** The uids of the pods that have a folder or a control group. */
  podsOnDisk(): Promise<ReadonlySet<string>>;
}

/** Changes pods in the runtime and on the disk. */
export function podActs(options: PodActsOptions): PodActs & PodRemoval {
  const acts = new RuntimeActs(options);
  return {
    createSandbox: async (pod, attempt, signal) => acts.createSandbox(pod, attempt, signal),
    startContainer: async (pod, { name, attempt, targetId }, signal) =>
      acts.startContainer(pod, { name, attempt, targetId }, signal),
    runPostStart: async (pod, name, id, signal) =>
      options.hooks.postStart(await acts.hookTarget(pod, name, id, signal), signal),
    killContainer: async (pod, { id, name, graceSeconds }, signal) => {
      const target = pod && hasPreStop(pod, name) ? await acts.hookTarget(pod, name, id, signal) : undefined;
      await options.hooks.stop(id, graceSeconds, target, signal);
    },
    async refreshVolumes(pod, signal) {
      await acts.prepareVolumes(pod, signal);
      return options.tokens.renewalTime(pod);
    },
    stopSandbox: async (id, signal) => options.runtime.stopSandbox(id, signal),
    removeContainer: async (id, signal) => options.runtime.removeContainer(id, signal),
    releasePod: async (pod, signal) => acts.releasePod(pod, signal),
    removePod: async (uid, signal) => acts.removePod(uid, signal),
    podsOnDisk: async () => acts.podsOnDisk(),
  };
}

interface Start {
  readonly name: string;
  readonly attempt: number;
  readonly targetId: string | undefined;
}

interface Ready {
  readonly volumes: ReadyVolumes;
  readonly environment: ContainerEnvironment;
}

class RuntimeActs {
  readonly #options: PodActsOptions;

  constructor(options: PodActsOptions) {
    this.#options = options;
  }

  async createSandbox(pod: Pod, attempt: number, signal: AbortSignal): Promise<void> {
    const { runtime, host, settings } = this.#options;
    await mkdir(this.#logFolder(pod), { recursive: true, mode: LOG_FOLDER_MODE });
    await this.prepareVolumes(pod, signal);
    if (settings.cgroupsPerQos) await host.createPodCgroup(podCgroup(pod, this.#cgroupDriver));
    await runtime.runSandbox(await this.#sandboxConfig(pod, attempt), '', signal);
  }

  async startContainer(pod: Pod, { name, attempt, targetId }: Start, signal: AbortSignal): Promise<string> {
    const { runtime, observe, puller } = this.#options;
    const sandbox = newestSandbox(await observe(pod.metadata.uid, signal));
    if (sandbox === undefined) throw new StartError('CreateContainerError', 'the pod has no sandbox');
    const container = containerNamed(pod, name);
    const sandboxOfPod = await this.#sandboxConfig(pod, sandbox.attempt);
    const image = await puller.ensure(pod, container, sandboxOfPod, signal);
    const { volumes, environment } = await this.#prepareContainer(pod, container, sandbox.ips, signal);
    const config = containerConfig(pod, container, {
      os: this.#options.os,
      attempt,
      imageRef: image.ref,
      environment,
      mounts: await this.#mounts(pod, container, { volumes, environment }, signal),
      terminationFile: await this.#terminationFile(pod, name),
      hostsFile: await this.#hostsFile(pod, sandbox.ips),
      selinuxRelabel: false,
      machine: await this.#machine(),
      ...this.#security(pod, container, image.user, targetId),
    });
    const id = await runtime.createContainer(
      sandbox.id,
      { ...config, envs: asTexts(config.envs) },
      sandboxOfPod,
      signal,
    );
    await mkdir(join(this.#logFolder(pod), name), { recursive: true, mode: LOG_FOLDER_MODE });
    await runtime.startContainer(id, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new StartError('RunContainerError', cause instanceof Error ? cause.message : String(cause));
    });
    return id;
  }

  async hookTarget(pod: Pod, name: string, id: string, signal: AbortSignal): Promise<HookTarget> {
    const { observe, hostIps } = this.#options;
    const observed = await observe(pod.metadata.uid, signal);
    return { id, container: containerNamed(pod, name), address: probedAddress({ observed }, hostIps()) };
  }

  async releasePod(pod: Pod, signal: AbortSignal): Promise<void> {
    const { host, settings } = this.#options;
    if (settings.cgroupsPerQos) await host.removePodCgroup(podCgroup(pod, this.#cgroupDriver).path);
    for (const part of ['volume-subpaths', 'volumes'])
      await host.removeFolder(join(this.#podFolder(pod), part), signal);
  }

  async removePod(uid: string, signal: AbortSignal): Promise<void> {
    const { runtime, host, settings } = this.#options;
    const sandboxes = await runtime.listSandboxes({ labelSelector: { [LABELS.podUid]: uid } }, signal);
    for (const { id, labels } of sandboxes) {
      await runtime.stopSandbox(id, signal);
      await runtime.removeSandbox(id, signal);
      const [namespace, name] = [labels[LABELS.podNamespace] ?? '', labels[LABELS.podName] ?? ''];
      await host.removeFolder(join(settings.logFolder, podLogFolder({ namespace, name, uid })), signal);
    }
    for (const path of await host.listPodCgroups()) {
      if (podUidOfCgroup(basename(path)) === uid) await host.removePodCgroup(path);
    }
    await host.removeFolder(join(settings.rootFolder, 'pods', uid), signal);
  }

  async podsOnDisk(): Promise<ReadonlySet<string>> {
    const { host, settings } = this.#options;
    const folders = await readdir(join(settings.rootFolder, 'pods')).catch(() => []);
    const groups = (await host.listPodCgroups()).flatMap((path) => podUidOfCgroup(basename(path)) ?? []);
    return new Set([...folders, ...groups]);
  }

  async #prepareContainer(
    pod: Pod,
    container: Container,
    podIps: readonly string[],
    signal: AbortSignal,
  ): Promise<Ready> {
    const { host } = this.#options;
    const facts = await this.#facts(pod, podIps, signal);
    const volumes = await prepareVolumes(pod, this.#podFolder(pod), facts, host, signal);
    const environment = containerEnvironment(pod, container, { ...facts, services: new Map() });
    const [missing] = environment.missing;
    if (missing !== undefined) throw new StartError('CreateContainerConfigError', missing.message);
    return { volumes, environment };
  }

  async prepareVolumes(pod: Pod, signal: AbortSignal): Promise<void> {
    await mkdir(this.#podFolder(pod), { recursive: true, mode: POD_FOLDER_MODE });
    // Containers get what is mounted for them; no one else is to look into volumes.
    await chmod(join(this.#options.settings.rootFolder, 'pods'), POD_FOLDER_MODE);
    const facts = await this.#facts(pod, [], signal);
    await prepareVolumes(pod, this.#podFolder(pod), facts, this.#options.host, signal);
  }

  async #facts(pod: Pod, podIps: readonly string[], signal: AbortSignal): Promise<VolumeFacts> {
    const { memory, hostIps, tokens } = this.#options;
    const references = await podReferences(pod, memory, { podIps, hostIps: hostIps() }, signal);
    return { ...references, tokens: await tokens.current(pod, signal) };
  }

  async #mounts(pod: Pod, container: Container, ready: Ready, signal: AbortSignal) {
    const { os, host } = this.#options;
    return containerMounts(container, { ...ready, os, host, podFolder: this.#podFolder(pod) }, signal);
  }

  async #sandboxConfig(pod: Pod, attempt: number): Promise<SandboxConfig> {
    const { settings, os } = this.#options;
    const { clusterDns, clusterDomain, resolvConf, cgroupsPerQos } = settings;
    const host = resolvConf === '' ? undefined : parseResolvConf(await readFile(resolvConf, 'utf8').catch(() => ''));
    return sandboxConfig(pod, {
      os,
      attempt,
      clusterDomain,
      logDirectory: this.#logFolder(pod),
      dns: podDns(pod, { clusterDns, clusterDomain, host }).config,
      cgroupParent: cgroupsPerQos ? podCgroup(pod, this.#cgroupDriver).parent : '',
    });
  }

  #security(
    pod: Pod,
    container: Container,
    imageUser: { uid?: number; username?: string },
    targetId: string | undefined,
  ) {
    const { rootFolder, seccompDefault } = this.#options.settings;
    const facts = {
      seccompFolder: join(rootFolder, 'seccomp'),
      seccompDefault,
      imageUser,
      ...(targetId !== undefined && { targetId }),
    };
    const problem = securityProblem(pod, container, facts);
    if (problem !== undefined) throw new StartError('CreateContainerConfigError', problem);
    return facts;
  }

  async #machine() {
    const { host, machine, settings } = this.#options;
    return { ...machine, ...(await host.machine()), cpuQuota: settings.cpuCfsQuota, singleProcessOomKill: false };
  }

  /** A new one for each instance, so that the message of a former one does not count for this one. */
  async #terminationFile(pod: Pod, container: string): Promise<string> {
    const file = join(this.#podFolder(pod), terminationFile(container, randomBytes(4).toString('hex')));
    await mkdir(join(file, '..'), { recursive: true, mode: POD_FOLDER_MODE });
    await writeFile(file, '');
    await chmod(file, TERMINATION_FILE_MODE);
    return file;
  }

  /** Written in place: a container keeps the file that it was started with. */
  async #hostsFile(pod: Pod, podIps: readonly string[]): Promise<string> {
    const file = join(this.#podFolder(pod), HOSTS_FILE);
    const hostFile = await readFile(HOSTS, 'utf8').catch(() => '');
    await writeFile(file, hostsFile(pod, { podIps, hostFile, clusterDomain: this.#options.settings.clusterDomain }));
    await chmod(file, HOSTS_FILE_MODE);
    return file;
  }

  get #cgroupDriver(): 'systemd' | 'cgroupfs' {
    return this.#options.settings.cgroupDriver === 'systemd' ? 'systemd' : 'cgroupfs';
  }

  #podFolder({ metadata }: Pod): string {
    return join(this.#options.settings.rootFolder, 'pods', metadata.uid);
  }

  #logFolder({ metadata }: Pod): string {
    return join(this.#options.settings.logFolder, podLogFolder(metadata));
  }
}

function findContainer({ spec }: Pod, name: string): Container | undefined {
  const all = [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  return all.find((candidate) => candidate.name === name);
}

/** A container that was taken out of the definition of its pod has no hooks. */
function hasPreStop(pod: Pod, name: string): boolean {
  return findContainer(pod, name)?.lifecycle?.preStop !== undefined;
}

function containerNamed(pod: Pod, name: string): Container {
  const container = findContainer(pod, name);
  if (container === undefined) throw new Error(`Pod "${pod.metadata.name}" has no container "${name}"`);
  return container;
}

/** The runtime takes texts only: a Secret with other bytes cannot become a variable. */
function asTexts(variables: readonly { readonly key: string; readonly value: Uint8Array }[]) {
  return variables.map(({ key, value }) => {
    if (!isUtf8(value))
      throw new StartError('CreateContainerConfigError', `the value of the variable "${key}" is not UTF-8`);
    return { key, value: Buffer.from(value).toString('utf8') };
  });
}
