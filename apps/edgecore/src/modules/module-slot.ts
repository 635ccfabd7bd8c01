import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgecoreConfig } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';
import type { AgentModule, ModuleDefinition, ModuleHealth } from './agent-module.ts';
import { type Backoff, inTurn, type InTurn, withDeadline } from './waiting.ts';
import { describeFailure, failureFields } from './describe-failure.ts';

/** How a module is, as the supervisor sees it. */
export interface ModuleReport {
  readonly name: string;
  readonly state: ModuleHealth['state'] | 'stopped';
  readonly reason?: string;
  /** How often it was started again after a failure. */
  readonly restarts: number;
}

/** What a slot is made with. */
export interface SlotOptions {
  readonly definition: ModuleDefinition;
  readonly log: Logger;
  readonly backoff: Backoff;
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
  readonly onChange: () => void;
}

interface Running {
  readonly module: AgentModule;
  readonly config: EdgecoreConfig;
  readonly since: number;
  /** Fires when the operation that this run belongs to is superseded by a later one. */
  readonly signal: AbortSignal;
}

const STARTING = { state: 'degraded', reason: 'starting' } as const;

/** The place of one module: starts it, starts it again when it fails, and never does two things to it at once. */
export class ModuleSlot {
  readonly #options: SlotOptions;
  readonly #inTurn: InTurn = inTurn();
  #running: Running | undefined;
  #started = false;
  #failure: string | undefined;
  #restarts = 0;
  /** Ends the present start or the wait for the next one. */
  #present = new AbortController();

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.definition.name;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Starts the module again; if it can't start it is tried again later, in the background. */
  async run(config: EdgecoreConfig): Promise<void> {
    const signal = this.#renew();
    return this.#inTurn(async () => {
      await this.#end();
      await this.#attempt(config, signal);
    });
  }

  /** Has the module take up a configuration now. Throws if it can't: then nothing runs here any more. */
  async change(config: EdgecoreConfig): Promise<void> {
    const signal = this.#renew();
    return this.#inTurn(async () => {
      if (await this.#reload(config, signal)) return;
      await this.#end();
      await this.#begin(config, signal);
    });
  }

  /** Makes a module that waits after a failure retry now. */
  tryAgain(): void {
    this.#running?.module.tryAgain?.();
  }

  /** Breaks off a start or a wait that is going on. */
  interrupt(): void {
    this.#present.abort();
  }

  async stop(): Promise<void> {
    this.#renew();
    return this.#inTurn(async () => {
      await this.#end();
      this.#failure = undefined;
      this.#options.onChange();
    });
  }

  report(): ModuleReport {
    return { name: this.name, restarts: this.#restarts, ...this.#state() };
  }

  #state(): Pick<ModuleReport, 'state' | 'reason'> {
    if (this.#running !== undefined) return this.#started ? this.#running.module.health() : STARTING;
    return this.#failure === undefined ? { state: 'stopped' } : { state: 'failed', reason: this.#failure };
  }

  #renew(): AbortSignal {
    this.#present.abort();
    this.#present = new AbortController();
    return this.#present.signal;
  }

  async #attempt(config: EdgecoreConfig, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    try {
      await this.#begin(config, signal);
    } catch (cause) {
      this.#retryLater(config, cause, performance.now() - began, signal);
    }
  }

  async #begin(config: EdgecoreConfig, signal: AbortSignal): Promise<void> {
    const { definition, log, startTimeoutMs, onChange } = this.#options;
    const fail = (cause: unknown): void => void this.#inTurn(async () => this.#failed(module, cause));
    const module = definition.create(config, { log, fail });
    this.#running = { module, config, since: performance.now(), signal };
    this.#started = false;
    try {
      const deadline = { limitMs: startTimeoutMs, action: `start module "${this.name}"` };
      await withDeadline(async (until) => module.start(until), deadline, signal);
      this.#started = true;
      this.#failure = undefined;
      log.info('The module runs');
    } catch (cause) {
      await this.#end();
      throw cause;
    } finally {
      onChange();
    }
  }

  async #reload(config: EdgecoreConfig, signal: AbortSignal): Promise<boolean> {
    const running = this.#running;
    if (running?.module.reload === undefined) return false;
    const deadline = { limitMs: this.#options.startTimeoutMs, action: `reload module "${this.name}"` };
    try {
      const outcome = await withDeadline(async () => running.module.reload?.(config), deadline, signal);
      if (outcome !== 'reloaded') return false;
      this.#running = { ...running, config, signal };
      return true;
    } catch (cause) {
      await this.#end();
      throw cause;
    }
  }

  async #end(): Promise<void> {
    const ending = this.#running?.module;
    this.#running = undefined;
    if (ending === undefined) return;
    const deadline = { limitMs: this.#options.stopTimeoutMs, action: `stop module "${this.name}"` };
    try {
      await withDeadline(async () => ending.stop(), deadline, new AbortController().signal);
    } catch (cause) {
      this.#options.log.error('The module did not stop in order', failureFields(cause));
    }
  }

  async #failed(module: AgentModule, cause: unknown): Promise<void> {
    if (this.#running?.module !== module) return;
    const { config, since, signal } = this.#running;
    const lastedMs = performance.now() - since;
    await this.#end();
    this.#retryLater(config, cause, lastedMs, signal);
  }

  /** Does nothing if the failed run was superseded: the later operation decides what runs. */
  #retryLater(config: EdgecoreConfig, cause: unknown, lastedMs: number, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { log, backoff, onChange } = this.#options;
    const waitMs = backoff.next(lastedMs);
    this.#failure = describeFailure(cause).message;
    log.error('The module failed; it is started again', { ...failureFields(cause), waitMs });
    onChange();
    void this.#retry(config, waitMs, signal);
  }

  async #retry(config: EdgecoreConfig, waitMs: number, signal: AbortSignal): Promise<void> {
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await this.#inTurn(async () => {
      if (signal.aborted) return;
      this.#restarts += 1;
      await this.#attempt(config, signal);
    });
  }
}
