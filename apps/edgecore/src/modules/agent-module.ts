import type { EdgecoreConfig } from '@fenestra/contracts';
import type { Logger } from '@fenestra/platform';

/** The health that a module reports. */
export interface ModuleHealth {
  readonly state: 'healthy' | 'degraded' | 'failed';
  /** The reason in a text for people: `no connection to the cloud since 10:02`. */
  readonly reason?: string;
}

/** A part of the agent that starts, fails and restarts independently. */
export interface AgentModule {
  readonly name: string;
  /** Starts the module; returns when it is ready. A thrown error is a failed start, retried with backoff. */
  start(signal: AbortSignal): Promise<void>;
  /** Stops the module. Called once after each start, failed starts included, and before the next start. */
  stop(): Promise<void>;
  /** Applies a changed configuration while running. With `restart` the module is stopped and created again. */
  reload?(config: EdgecoreConfig): Promise<'reloaded' | 'restart'>;
  /** Retries now: ends the backoff delay of the module, if there is one. */
  tryAgain?(): void;
  health(): ModuleHealth;
}

/** What a module is created with. */
export interface ModuleContext {
  readonly log: Logger;
  /** Reports that the module cannot continue: it is stopped and restarted with backoff. */
  fail(cause: unknown): void;
}

/** A kind of module: when it runs, its configuration, and how to create it. */
export interface ModuleDefinition {
  readonly name: string;
  enabled(config: EdgecoreConfig): boolean;
  /** The part of the configuration it reads. Plain data: a reload that leaves it equal leaves the module alone. */
  part(config: EdgecoreConfig): unknown;
  /** Creates the module without starting it. */
  create(config: EdgecoreConfig, context: ModuleContext): AgentModule;
}
