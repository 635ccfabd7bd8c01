import type { Message, NodeReport } from '@fenestra/contracts';
import type { HubLink } from '../hub/hub-link.ts';
import { createAlarm, exponentialBackoff } from '../modules/waiting.ts';
import type { CloudAnswer } from '../meta/cloud-answer.ts';
import { textOf } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import type { AgentModule, ModuleContext, ModuleDefinition, ModuleHealth } from '../modules/agent-module.ts';
import { type EdgedStates, withoutEdged } from './node-conditions.ts';
import type { MachineReader } from './machine.ts';
import { leaseRenewal } from './node-lease.ts';
import { nodeReport, nodeStatus } from './node-status.ts';
import { type NodeSettings, nodeSettings } from './node-settings.ts';
import { repeat, type RepeatedWork } from './repeat.ts';
import { type StatusKeeper, statusKeeper, type StatusKeeperOptions } from './status-keeper.ts';

/** What the module is made with. */
export interface NodeModuleOptions {
  readonly hub: HubLink;
  readonly memory: NodeMemory;
  readonly readMachine: MachineReader;
  readonly kubeletVersion: string;
  readonly now: () => Date;
  readonly random: () => number;
  /** Whether pods can run; without it the node reports that they cannot. */
  readonly edged?: EdgedStates;
  /** Called after every try with how the cloud knows the node. */
  readonly onReport?: (report: NodeReport) => void;
}

/** A renewal has to be over before the next one is due; a status may take as long. */
const ANSWER_TIMEOUT_MS = 10_000;
const RETRIES = { firstMs: 500, capMs: 30_000, healthyAfterMs: Infinity };
/** A kubelet renews its lease after a quarter of its duration, give or take a little. */
const RENEWAL_SHARE = 0.25;
const RENEWAL_JITTER = 0.04;
const NODES = { group: '', version: 'v1', plural: 'nodes' };

/** Module `node`: registers the node, and reports its status and its lease as a kubelet does. */
export function nodeModule(options: NodeModuleOptions): ModuleDefinition {
  return {
    name: 'node',
    enabled: ({ modules }) => modules.metaManager.enable && modules.edgeHub.enable,
    part: nodeSettings,
    create: (config, context) => new NodeReporter(options, nodeSettings(config), context),
  };
}

/** What one of the module's works differs in. */
type OwnWork = Pick<RepeatedWork, 'action' | 'alarm' | 'intervalMs' | 'work'> &
  Partial<Pick<RepeatedWork, 'onOutcome'>>;

class NodeReporter implements AgentModule {
  readonly name = 'node';
  readonly #options: NodeModuleOptions;
  readonly #settings: NodeSettings;
  readonly #context: ModuleContext;
  readonly #ending = new AbortController();
  readonly #statusAlarm = createAlarm();
  readonly #leaseAlarm = createAlarm();
  readonly #problems = new Map<string, string>();
  #isNewConnection = true;
  #unsubscribe: () => void = () => {};
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: NodeModuleOptions, settings: NodeSettings, context: ModuleContext) {
    this.#options = options;
    this.#settings = settings;
    this.#context = context;
  }

  async start(): Promise<void> {
    const { hub } = this.#options;
    const nodeName = this.#settings.name;
    const keeper = statusKeeper(this.#keeperOptions(nodeName));
    const unsubscribe = [
      hub.onConnected(() => {
        keeper.forget();
        this.#isNewConnection = true;
        this.#statusAlarm.ring();
      }),
      this.#options.edged?.subscribe(this.#statusAlarm.ring),
    ];
    this.#unsubscribe = () => unsubscribe.forEach((stop) => stop?.());
    const works = [this.#statusWork(keeper), this.#leaseWork(nodeName, keeper)];
    this.#loops = Promise.all(works.map(async (work) => repeat(work, this.#ending.signal)));
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#ending.abort();
    await this.#loops;
  }

  health(): ModuleHealth {
    const [reason] = this.#problems.values();
    return reason === undefined ? { state: 'healthy' } : { state: 'degraded', reason };
  }

  #keeperOptions(nodeName: string): StatusKeeperOptions {
    const { memory, now, readMachine, kubeletVersion, edged } = this.#options;
    const settings = this.#settings;
    return {
      nodeName,
      settings,
      now,
      log: this.#context.log,
      ask: this.#ask,
      knownNode: () => memory.get(NODES, '', nodeName),
      read: async (previous, signal) => {
        const machine = await readMachine(settings, signal);
        const state = edged?.present() ?? withoutEdged(settings.edgedEnabled);
        const input = { machine, settings, previous, nodeName, kubeletVersion, edged: state, now: now() };
        return { machine, status: nodeStatus(input) };
      },
    };
  }

  #statusWork(keeper: StatusKeeper): RepeatedWork {
    const work = async (signal: AbortSignal): Promise<void> => {
      if (!this.#options.hub.connected) return;
      // Another connection may come while this report waits: that one is then still new.
      const isNewConnection = this.#isNewConnection;
      this.#isNewConnection = false;
      try {
        await keeper.report(signal);
      } finally {
        // The lease belongs to the Node, so it waits for it.
        if (isNewConnection) this.#leaseAlarm.ring();
      }
    };
    return this.#repeated({
      action: 'report the status of this node',
      alarm: this.#statusAlarm,
      intervalMs: () => this.#settings.updateMs,
      work,
      onOutcome: (problem) => this.#tellStanding(keeper, problem),
    });
  }

  #tellStanding({ isRegistered, reported }: StatusKeeper, problem: string | undefined): void {
    this.#options.onReport?.(nodeReport({ registered: isRegistered, reported, problem }));
  }

  #leaseWork(nodeName: string, keeper: StatusKeeper): RepeatedWork {
    const { hub, memory, now, random } = this.#options;
    const { leaseSeconds } = this.#settings;
    const nodeUid = (): string | undefined => textOf(memory.get(NODES, '', nodeName)?.metadata, 'uid');
    const renew = leaseRenewal({ nodeName, durationSeconds: leaseSeconds, now, nodeUid, ask: this.#ask });
    const intervalMs = leaseSeconds * 1_000 * RENEWAL_SHARE;
    return this.#repeated({
      action: 'renew the lease of this node',
      alarm: this.#leaseAlarm,
      intervalMs: () => intervalMs * (1 + RENEWAL_JITTER * (2 * random() - 1)),
      work: async (signal) => {
        if (hub.connected && keeper.isRegistered) await renew(signal);
      },
    });
  }

  #repeated(work: OwnWork): RepeatedWork {
    const onOutcome = (problem: string | undefined): void => {
      if (problem === undefined) this.#problems.delete(work.action);
      else this.#problems.set(work.action, problem);
      work.onOutcome?.(problem);
    };
    return { ...work, onOutcome, backoff: exponentialBackoff(RETRIES, this.#options.random), log: this.#context.log };
  }

  readonly #ask = async (message: Message, signal: AbortSignal): Promise<CloudAnswer> =>
    this.#options.memory.request(message, ANSWER_TIMEOUT_MS, signal);
}
