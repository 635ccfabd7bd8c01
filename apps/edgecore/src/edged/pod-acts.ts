import { isUtf8 } from 'node:buffer';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerRuntime } from '@fenestra/cri';
import {
  type Container,
  containerConfig,
  containerEnvironment,
  type ContainerEnvironment,
  KUBELET_EVENTS,
  newestSandbox,
  parseResolvConf,
  type Pod,
  podCgroup,
  podDns,
  type PodDns,
  podLogFolder,
  type SandboxConfig,
  sandboxConfig,
  securityProblem,
  type VolumeFacts,
  windowsSecurityProblem,
} from '@fenestra/pods';
import type { PodHost } from '@fenestra/platform';
import type { NodeMemory } from '../meta/node-memory.ts';
import { laterSignal } from '../modules/waiting.ts';
import { makeTerminationFile, writeHostsFile } from './container-files.ts';
import { containerMounts } from './container-mounts.ts';
import type { EdgedSettings } from './edged-settings.ts';
import type { PodEvents } from './events/event-recorder.ts';
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
  readonly events: PodEvents;
  readonly settings: EdgedSettings;
  readonly os: 'linux' | 'windows';
  readonly hostIps: () => readonly string[];
  readonly machine: { readonly cpuCount: number; readonly memoryBytes: number };
  readonly now: () => number;
  /** Lets the runtime start only so many things at once. What waits for a registry or the cloud is not in it. */
  readonly inSlot: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A start that is interrupted can leave something that the runtime cannot remove. */
const START_GRACE_MS = 5_000;
const LOG_FOLDER_MODE = 0o755;
const POD_FOLDER_MODE = 0o750;

/** Changes pods in the runtime and on the disk. */
export function podActs(options: PodActsOptions): PodActs {
  const acts = new RuntimeActs(options);
  return {
    createSandbox: async (pod, attempt, signal) => acts.createSandbox(pod, attempt, signal),
    startContainer: async (pod, { name, attempt, targetId }, signal) =>
      acts.startContainer(pod, { name, attempt, targetId }, signal),
    runPostStart: async (pod, name, id, signal) =>
      options.hooks.postStart(await acts.hookTarget(pod, name, id, signal), signal),
    killContainer: async (pod, kill, signal) => {
      const { id, name, graceSeconds } = kill;
      if (pod) options.events.record(pod, KUBELET_EVENTS.killing(kill), name);
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
    const { runtime, host, settings, inSlot, events } = this.#options;
    await mkdir(this.#logFolder(pod), { recursive: true, mode: LOG_FOLDER_MODE });
    await this.prepareVolumes(pod, signal);
    if (settings.cgroupsPerQos) await host.createPodCgroup(podCgroup(pod, this.#cgroupDriver));
    const config = await this.#sandboxConfig(pod, attempt);
    for (const warning of (await this.#dns(pod)).warnings) events.record(pod, warning);
    await inSlot(async () => runtime.runSandbox(config, '', signal));
  }

  async startContainer(pod: Pod, { name, attempt, targetId }: Start, signal: AbortSignal): Promise<string> {
    const { runtime, observe, puller, settings, os, events } = this.#options;
    const { clusterDomain } = settings;
    const sandbox = newestSandbox(await observe(pod.metadata.uid, signal));
    if (sandbox === undefined) throw new StartError('CreateContainerError', 'the pod has no sandbox');
    const container = containerNamed(pod, name);
    const sandboxOfPod = await this.#sandboxConfig(pod, sandbox.attempt);
    const image = await puller.ensure(pod, container, sandboxOfPod, signal);
    const { volumes, environment } = await this.#prepareContainer(pod, container, sandbox.ips, signal);
    const config = containerConfig(pod, container, {
      os,
      attempt,
      imageRef: image.ref,
      environment,
      mounts: await this.#mounts(pod, container, { volumes, environment }, signal),
      terminationFile: await makeTerminationFile(this.#podFolder(pod), name),
      hostsFile: await writeHostsFile(this.#podFolder(pod), pod, { os, podIps: sandbox.ips, clusterDomain }),
      selinuxRelabel: false,
      machine: await this.#machine(),
      ...this.#security(pod, container, image.user, targetId),
    });
    await mkdir(join(this.#logFolder(pod), name), { recursive: true, mode: LOG_FOLDER_MODE });
    const ready = { ...config, envs: asTexts(config.envs) };
    return this.#options.inSlot(async () => {
      const id = await runtime.createContainer(sandbox.id, ready, sandboxOfPod, signal);
      events.record(pod, KUBELET_EVENTS.created(name), name);
      await runtime.startContainer(id, laterSignal(signal, START_GRACE_MS)).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new StartError('RunContainerError', cause instanceof Error ? cause.message : String(cause));
      });
      events.record(pod, KUBELET_EVENTS.started(name), name);
      return id;
    });
  }

  async hookTarget(pod: Pod, name: string, id: string, signal: AbortSignal): Promise<HookTarget> {
    const { observe, hostIps } = this.#options;
    const observed = await observe(pod.metadata.uid, signal);
    return { id, pod, container: containerNamed(pod, name), address: probedAddress({ observed }, hostIps()) };
  }

  async releasePod(pod: Pod, signal: AbortSignal): Promise<void> {
    const { host, settings } = this.#options;
    if (settings.cgroupsPerQos) await host.removePodCgroup(podCgroup(pod, this.#cgroupDriver).path);
    for (const part of ['volume-subpaths', 'volumes'])
      await host.removeFolder(join(this.#podFolder(pod), part), signal);
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
    await this.#options.host.protectFolder(join(this.#options.settings.rootFolder, 'pods'));
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
    const { clusterDomain, cgroupsPerQos } = settings;
    return sandboxConfig(pod, {
      os,
      attempt,
      clusterDomain,
      logDirectory: this.#logFolder(pod),
      dns: (await this.#dns(pod)).config,
      cgroupParent: cgroupsPerQos ? podCgroup(pod, this.#cgroupDriver).parent : '',
    });
  }

  async #dns(pod: Pod): Promise<PodDns> {
    const { clusterDns, clusterDomain, resolvConf } = this.#options.settings;
    const host = resolvConf === '' ? undefined : parseResolvConf(await readFile(resolvConf, 'utf8').catch(() => ''));
    return podDns(pod, { clusterDns, clusterDomain, host });
  }

  #security(
    pod: Pod,
    container: Container,
    imageUser: { uid?: number; username?: string },
    targetId: string | undefined,
  ) {
    const { os, settings } = this.#options;
    const { rootFolder, seccompDefault } = settings;
    const facts = {
      seccompFolder: join(rootFolder, 'seccomp'),
      seccompDefault,
      imageUser,
      ...(targetId !== undefined && { targetId }),
    };
    const problem =
      os === 'windows' ? windowsSecurityProblem(pod, container, imageUser) : securityProblem(pod, container, facts);
    if (problem !== undefined) throw new StartError('CreateContainerConfigError', problem);
    return facts;
  }

  async #machine() {
    const { host, machine, settings } = this.#options;
    return { ...machine, ...(await host.machine()), cpuQuota: settings.cpuCfsQuota, singleProcessOomKill: false };
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
