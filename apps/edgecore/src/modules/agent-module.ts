import type { EdgecoreConfig } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';

/** How a module is, in its own opinion. */
export interface ModuleHealth {
  readonly state: 'healthy' | 'degraded' | 'failed';
  /** Why it is not healthy, for people: `no connection to the cloud since 10:02`. */
  readonly reason?: string;
}

/** One running part of the agent. It fails and restarts alone. */
export interface AgentModule {
  readonly name: string;
  /** Brings the module up; returns when it serves. A throw is a failed start, tried again later with backoff. */
  start(signal: AbortSignal): Promise<void>;
  /** Ends it in order. Called once after a start, also after a failed one, and always before the next start. */
  stop(): Promise<void>;
  /** Takes up a changed configuration while running, if it can: otherwise the module is stopped and made again. */
  reload?(config: EdgecoreConfig): Promise<'taken-up' | 'make-anew'>;
  /** The operator wants a try now: ends the module's wait after its own failure, if there is one. */
  tryAgain?(): void;
  health(): ModuleHealth;
}

/** What a module is made with. */
export interface ModuleContext {
  readonly log: Logger;
  /** Says that the running module can't go on: it is stopped, and started again with backoff. */
  fail(cause: unknown): void;
}

/** A kind of module: when it runs, what it depends on, and how to make one from a configuration. */
export interface ModuleDefinition {
  readonly name: string;
  enabled(config: EdgecoreConfig): boolean;
  /** The part of the configuration it reads. Plain data: a reload that leaves it equal leaves the module alone. */
  part(config: EdgecoreConfig): unknown;
  /** Makes the module without starting anything. */
  create(config: EdgecoreConfig, context: ModuleContext): AgentModule;
}
