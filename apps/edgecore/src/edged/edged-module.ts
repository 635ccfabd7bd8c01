import { cpus } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { connectRuntime, type ContainerRuntime } from '@fenestra/cri';
import { listAt, stringAt } from '@fenestra/kernel';
import { KUBELET_EVENTS } from '@fenestra/pods';
import type { AccessControl, FileStore, Host, HostFacts, PodHost } from '@fenestra/platform';
import type { HubLink } from '../hub/hub-link.ts';
import type { KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import type { AgentModule, ModuleContext, ModuleDefinition, ModuleHealth } from '../modules/agent-module.ts';
import type { EdgedState, EdgedStates } from '../node/node-conditions.ts';
import { podAdmission } from './admit-pod.ts';
import { type DeadContainersOptions, keepRemovingDeadContainers } from './dead-containers.ts';
import { eventRecorder, type EventRecorder, NO_EVENTS } from './events/event-recorder.ts';
import { edgedSettings, type EdgedSettings } from './edged-settings.ts';
import { hooks } from './hooks.ts';
import { imagePuller } from './image-puller.ts';
import { loggedAttempts } from './logged-attempts.ts';
import { keepRotatingLogs } from './logs/rotate-logs.ts';
import { podObserver } from './observe-pod.ts';
import { podActs } from './pod-acts.ts';
import { PodManager } from './pod-manager.ts';
import { podRemoval } from './pod-removal.ts';
import { podRecords } from './pod-record.ts';
import { podSources } from './pod-sources.ts';
import { type PodsReport, reportingTo } from './pods-report.ts';
import { podTokens } from './pod-tokens.ts';
import { keepRelieving } from './pressure/relieve-node.ts';
import { restartRequests } from './restart-requests.ts';
import { NOT_WATCHED, type RuntimeWatch, watchRuntime } from './runtime-watch.ts';
import { slots } from './slots.ts';
import { uidInCloud } from './static/mirror-pods.ts';
import { runStaticPods } from './static/run-static-pods.ts';
import type { StaticPods } from './static/static-pods.ts';
import { statusReporter, type StatusReporter } from './status-reporter.ts';

/** What the module is made with. */
export interface EdgedOptions {
  readonly hub: HubLink;
  readonly memory: NodeMemory;
  readonly now: () => Date;
  readonly random: () => number;
  readonly host: Host;
  readonly podHost: PodHost;
  readonly files: FileStore;
  readonly access: Pick<AccessControl, 'exposures'>;
  /** Where the module says whether pods can run. */
  readonly states: EdgedStates;
  /** Where it says how the pods are. */
  readonly pods: PodsReport;
}

/** Where other kubelets listen; this agent does not. */
const KUBELET_PORT = 10_250;
const NODES = { group: '', version: 'v1', plural: 'nodes' };
const READY = { ready: true, reason: 'KubeletReady', message: 'the node runs pods' };
/** So many pods per processor start something at the same time: more makes every one of them late. */
const STARTS_PER_CPU = 2;
/** After a connection, the cloud has sent the pods of this node by then. */
const CLOUD_SENDS_MS = 60_000;

/** Module `edged`: runs the pods of this node in the container runtime. */
export function edgedModule(options: EdgedOptions): ModuleDefinition {
  return {
    name: 'edged',
    enabled: ({ modules }) => modules.edged.enable && modules.metaManager.enable,
    part: edgedSettings,
    create: (config, context) => new Edged(options, edgedSettings(config), context),
  };
}

class Edged implements AgentModule {
  readonly name = 'edged';
  readonly #options: EdgedOptions;
  readonly #settings: EdgedSettings;
  readonly #context: ModuleContext;
  readonly #ending = new AbortController();
  readonly #runtime: ContainerRuntime;
  #watch: RuntimeWatch | undefined;
  #events: EventRecorder = NO_EVENTS;
  #wasReady = false;
  #work: Promise<unknown> = Promise.resolve();
  #connectedAt: number | undefined;
  #pressures: EdgedState['pressures'] = new Set();
  #images: EdgedState['images'] = [];

  constructor(options: EdgedOptions, settings: EdgedSettings, context: ModuleContext) {
    this.#options = options;
    this.#settings = settings;
    this.#context = context;
    this.#runtime = connectRuntime(settings.runtimeEndpoint);
  }

  async start(): Promise<void> {
    const { hub, memory } = this.#options;
    const { signal } = this.#ending;
    const { log } = this.#context;
    const unsubscribe = [
      hub.onConnected(() => (this.#connectedAt ??= performance.now())),
      hub.onDisconnected(() => (this.#connectedAt = undefined)),
    ];
    this.#events = this.#recordEvents(signal);
    this.#events.recordNode(KUBELET_EVENTS.agentStarting());
    const facts = await this.#options.host.facts();
    const reporter = statusReporter({ hub, memory, log, uidInCloud: (pod) => uidInCloud(memory, pod) }, signal);
    const files = runStaticPods(
      {
        ...this.#options,
        store: this.#options.files,
        settings: this.#settings,
        log,
        now: () => this.#options.now().getTime(),
        running: () => manager.pods,
        onChange: () => manager.readSources(),
        onMirror: (uid) => reporter.repeat(uid),
      },
      signal,
    );
    this.#options.pods.begin();
    const manager = this.#manager(reportingTo(reporter, this.#options.pods), files, facts);
    const watch = watchRuntime(
      {
        runtime: this.#runtime,
        endpoint: this.#settings.runtimeEndpoint,
        log,
        onPod: (uid) => manager.wake(uid),
        onHealth: () => {
          this.#tellState();
          manager.wakeAll();
        },
      },
      signal,
    );
    this.#watch = watch;
    this.#work = Promise.all([
      reporter.ended,
      this.#events.ended,
      files.ended,
      watch.ended,
      manager.run(signal),
      this.#removeDead(manager, signal),
      this.#relieve(manager, signal),
      this.#rotateLogs(manager, signal),
    ]).finally(() => unsubscribe.forEach((stop) => stop()));
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#work;
    this.#runtime.close();
    this.#options.states.change(undefined);
    this.#options.pods.end();
  }

  health(): ModuleHealth {
    const problem = this.#watch?.problem;
    if (problem === undefined) return { state: 'healthy' };
    return { state: 'degraded', reason: problem.message };
  }

  #recordEvents(signal: AbortSignal): EventRecorder {
    const { nodeName, writesEvents, eventsPerSecond: perSecond, eventBurst: burst } = this.#settings;
    if (!writesEvents) return NO_EVENTS;
    const { hub, now } = this.#options;
    const { log } = this.#context;
    return eventRecorder({ hub, log, nodeName, perSecond, burst, now: () => now().getTime() }, signal);
  }

  async #removeDead(manager: PodManager, signal: AbortSignal): Promise<void> {
    await keepRemovingDeadContainers(this.#deadContainers(manager), signal);
  }

  #deadContainers(manager: PodManager): DeadContainersOptions {
    const { logFolder, keptInstances, minEndedAgeMs: minAgeMs } = this.#settings;
    const livePods = () => manager.pods.flatMap(({ metadata }) => (metadata.deletionTimestamp ? [] : [metadata]));
    const now = (): number => this.#options.now().getTime();
    const runtime = this.#runtime;
    const observe = podObserver(runtime);
    const { log } = this.#context;
    return { runtime, observe, host: this.#options.podHost, log, now, logFolder, keptInstances, minAgeMs, livePods };
  }

  async #relieve(manager: PodManager, signal: AbortSignal): Promise<void> {
    const { host, podHost } = this.#options;
    const options = {
      runtime: this.#runtime,
      host,
      podHost,
      settings: this.#settings,
      log: this.#context.log,
      events: this.#events,
      pods: manager,
      deadContainers: this.#deadContainers(manager),
      isRuntimeReady: () => this.#watch?.problem === undefined,
      onConditions: (pressures: EdgedState['pressures']) => {
        if (isDeepStrictEqual(pressures, this.#pressures)) return;
        this.#pressures = pressures;
        this.#tellState();
      },
      onImages: (images: EdgedState['images']) => {
        if (isDeepStrictEqual(images, this.#images)) return;
        this.#images = images;
        this.#tellState();
      },
    };
    await keepRelieving(options, signal);
  }

  async #rotateLogs(manager: PodManager, signal: AbortSignal): Promise<void> {
    const { logFolder, logRotation: settings } = this.#settings;
    const pods = () => manager.pods.map(({ metadata }) => metadata);
    const now = (): number => this.#options.now().getTime();
    await keepRotatingLogs({ runtime: this.#runtime, log: this.#context.log, now, logFolder, settings, pods }, signal);
  }

  #manager(reporter: StatusReporter, files: StaticPods, { os, totalMemoryBytes }: HostFacts): PodManager {
    const { memory, now, random, podHost: host } = this.#options;
    const { log } = this.#context;
    const runtime = this.#runtime;
    const settings = this.#settings;
    const events = this.#events;
    const milliseconds = (): number => now().getTime();
    const machine = { cpuCount: Math.max(1, cpus().length), memoryBytes: totalMemoryBytes };
    const hostIps = (): readonly string[] => addressesOf(memory.get(NODES, '', settings.nodeName));
    const observe = podObserver(runtime);
    const maxParallel = settings.serializeImagePulls ? 1 : settings.maxParallelImagePulls;
    const puller = imagePuller({ runtime, memory, log, events, maxParallel, now: milliseconds });
    const tokens = podTokens({ memory, log, now: milliseconds });
    const acts = podActs({
      hooks: hooks(runtime, { log, events }, this.#ending.signal),
      events,
      runtime,
      observe,
      memory,
      host,
      puller,
      tokens,
      settings,
      os,
      hostIps,
      machine,
      now: milliseconds,
      inSlot: slots(machine.cpuCount * STARTS_PER_CPU),
    });
    const sources = podSources(memory, files, settings.nodeName);
    return new PodManager({
      nodeName: settings.nodeName,
      admit: podAdmission({ memory, sources, nodeName: settings.nodeName, os, pressures: () => this.#pressures }),
      sources,
      memory,
      acts,
      isAlone: async () => this.#options.host.portFree(KUBELET_PORT),
      removal: podRemoval({ runtime, host, settings }),
      restartRequests: restartRequests(settings.restartsFolder, log),
      reporter,
      events,
      log,
      random,
      observe,
      records: podRecords(memory),
      loggedAttempts: loggedAttempts(settings.logFolder),
      probes: { runtime, log, events, hostIps, random, agentStartedAt: milliseconds() },
      now: milliseconds,
      node: {
        get hostIps() {
          return hostIps();
        },
        runtimeName: 'containerd',
      },
      watch: () => this.#watch ?? NOT_WATCHED,
      hasAllPods: () => this.#connectedAt !== undefined && performance.now() - this.#connectedAt > CLOUD_SENDS_MS,
    });
  }

  #tellState(): void {
    const { nodeName } = this.#settings;
    const readiness = this.#readiness();
    const { ready } = readiness;
    if (ready !== this.#wasReady) this.#events.recordNode(KUBELET_EVENTS.nodeReadiness(nodeName, ready));
    this.#wasReady = ready;
    this.#options.states.change({ ...readiness, pressures: this.#pressures, images: this.#images });
  }

  #readiness(): Pick<EdgedState, 'ready' | 'reason' | 'message'> {
    const problem = this.#watch?.problem;
    if (problem !== undefined) {
      const message = `container runtime is down: ${problem.message}`;
      return { ready: false, reason: 'KubeletNotReady', message };
    }
    if (this.#watch?.isNetworkReady === true) return READY;
    const message = 'container runtime network not ready: no CNI configuration';
    return { ready: false, reason: 'KubeletNotReady', message };
  }
}

/** The addresses of the node as the cloud knows them, the primary one first. */
function addressesOf(node: KubeObject | undefined): readonly string[] {
  return listAt(node, 'status', 'addresses')
    .filter((address) => stringAt(address, 'type') === 'InternalIP')
    .map((address) => stringAt(address, 'address'));
}
