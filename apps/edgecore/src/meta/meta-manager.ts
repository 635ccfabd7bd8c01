import { GROUPS, type EdgecoreConfig, type Message } from '@fenestra/contracts';
import type { HubLink } from '../hub/hub-link.ts';
import type { AgentModule, ModuleContext, ModuleDefinition, ModuleHealth } from '../modules/agent-module.ts';
import { describeFailure, failureFields } from '../modules/describe-failure.ts';
import { createAlarm } from '../modules/waiting.ts';
import { adoptUpstreamObjects } from './stored-object.ts';
import type { NodeMemoryHost } from './node-memory.ts';
import { keepSending, openOutbox } from './outbox.ts';
import { keepPodNeeds } from './pod-needs.ts';
import { openMetaStore } from './store/open-meta-store.ts';
import type { MetaStore } from './store/meta-store.ts';

/** What the module is made with. */
export interface MetaManagerOptions {
  readonly hub: HubLink;
  readonly memory: NodeMemoryHost;
  readonly now: () => Date;
  readonly random: () => number;
}

interface Settings {
  readonly file: string;
  readonly answerTimeoutMs: number;
}

/** What is said while offline and could not be sent at the first try is tried again this often. */
const RETRY_MS = 10_000;

/**
 * Module `metaManager`: keeps on disk what the cloud sends, asks for what pods of this node lack, and sends up what
 * waited while the cloud was away.
 */
export function metaManagerModule(options: MetaManagerOptions): ModuleDefinition {
  return {
    name: 'metaManager',
    enabled: ({ modules }) => modules.metaManager.enable,
    part: settingsOf,
    create: (config, context) => new MetaManager(options, settingsOf(config), context),
  };
}

function settingsOf({ database, modules }: EdgecoreConfig): Settings {
  return { file: database.dataSource, answerTimeoutMs: modules.metaManager.remoteQueryTimeout * 1_000 };
}

class MetaManager implements AgentModule {
  readonly name = 'metaManager';
  readonly #options: MetaManagerOptions;
  #settings: Settings;
  readonly #context: ModuleContext;
  readonly #ending = new AbortController();
  readonly #cleanUp: (() => void)[] = [];
  #loops: Promise<unknown> = Promise.resolve();
  #lastFailure: string | undefined;

  constructor(options: MetaManagerOptions, settings: Settings, context: ModuleContext) {
    this.#options = options;
    this.#settings = settings;
    this.#context = context;
  }

  async start(): Promise<void> {
    const { hub, now } = this.#options;
    const { log } = this.#context;
    const store = openMetaStore(this.#settings.file, { log, now });
    this.#cleanUp.push(() => store.close());
    const adopted = adoptUpstreamObjects(store);
    if (adopted > 0) log.info('Took over objects that another agent had stored', { adopted });
    this.#openMemory(store);
    this.#cleanUp.push(hub.onMessage((message) => this.#take(message)));
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#loops;
    for (const clean of this.#cleanUp.splice(0).toReversed()) clean();
  }

  async reload(config: EdgecoreConfig): Promise<'reloaded' | 'restart'> {
    const next = settingsOf(config);
    if (next.file !== this.#settings.file) return 'restart';
    this.#settings = next;
    return 'reloaded';
  }

  health(): ModuleHealth {
    return this.#lastFailure === undefined ? { state: 'healthy' } : { state: 'degraded', reason: this.#lastFailure };
  }

  #openMemory(store: MetaStore): void {
    const { hub, memory, random } = this.#options;
    const { log } = this.#context;
    const answerTimeoutMs = (): number => this.#settings.answerTimeoutMs;
    const apply = (answer: Message): void => memory.apply(answer);
    const outbox = openOutbox({ store, hub, log, apply, answerTimeoutMs });
    const alarm = createAlarm();
    memory.open({ store, outbox, answerTimeoutMs, wake: alarm.ring });
    this.#cleanUp.push(() => memory.close(), hub.onConnected(alarm.ring));
    const { signal } = this.#ending;
    this.#loops = Promise.all([
      keepSending({ outbox, hub, log, alarm, retryMs: RETRY_MS }, signal),
      keepPodNeeds({ hub, memory: memory.memory, log, random }, signal),
    ]);
  }

  /** A throw makes the hub refuse the message, so that the cloud sends it again. */
  #take(message: Message): void {
    if (!isForMemory(message)) return;
    try {
      this.#options.memory.apply(message);
      this.#lastFailure = undefined;
    } catch (cause) {
      this.#lastFailure = describeFailure(cause).message;
      const { operation, resource } = message.route;
      this.#context.log.error('Cannot store what the cloud sent', { operation, resource, ...failureFields(cause) });
      throw cause;
    }
  }
}

function isForMemory({ route }: Message): boolean {
  return route.group === GROUPS.resource || route.group === GROUPS.func;
}
