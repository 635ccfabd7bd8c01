import { dirname } from 'node:path';
import type { AgentStatus, EdgecoreConfig, NodeReport, PodReport } from '@fenestra/contracts';
import type { FileStore, Logger, ServiceProgram } from '@fenestra/platform';
import type { ConfigFile, ReadConfig } from './config-file.ts';
import type { ModuleDefinition } from './modules/agent-module.ts';
import { describeFailure, failureFields } from './modules/describe-failure.ts';
import { inTurn } from './modules/waiting.ts';
import { superviseModules, type ModuleSupervisor } from './modules/module-supervisor.ts';
import { statusFile, type StatusFile } from './modules/status-file.ts';

/** What an agent consists of besides its shell. */
export interface AgentParts {
  readonly definitions: readonly ModuleDefinition[];
  readonly connected: () => boolean;
  /** What keeps the node from its cloud, if anything. */
  readonly problem: () => unknown;
  /** How the cloud knows the node, once it was reported it. */
  readonly node: () => NodeReport | undefined;
  /** `undefined` while the node runs no pods. */
  readonly pods: () => readonly PodReport[] | undefined;
}

/** What the agent is made with. */
export interface AgentOptions {
  /** Where the status file goes; by default beside the database. */
  readonly stateFolder: string | undefined;
  /** The configuration. Without one, or while the file is not there yet, the agent idles. */
  readonly config: ConfigFile | undefined;
  readonly files: FileStore;
  readonly version: string;
  readonly now: () => Date;
  readonly log: Logger;
  readonly random: () => number;
  /** Makes the parts. `onChange` is to be called when the node's state may have changed. */
  readonly assemble: (present: () => EdgecoreConfig | undefined, onChange: () => void) => AgentParts;
  /** Called with the folder for state once there is a configuration, before anything starts; an idle agent leaves no trace. */
  readonly onStateFolder?: (folder: string) => void;
}

/** How often the status is looked at for changes that no one reported. */
const STATUS_INTERVAL_MS = 15_000;

/** The node agent: runs its modules, and for as long as it runs says in its status file how it is. */
export function agentProgram(options: AgentOptions): ServiceProgram {
  return new Agent(options);
}

class Agent implements ServiceProgram {
  readonly #options: AgentOptions;
  readonly #startedAt: string;
  readonly #parts: AgentParts;
  readonly #supervisor: ModuleSupervisor;
  readonly #inTurn = inTurn();
  #present: ReadConfig | undefined;
  #status: StatusFile | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reloads = 0;
  #lastReload: AgentStatus['lastReload'];

  constructor(options: AgentOptions) {
    const { log, random } = options;
    const onChange = (): void => void this.#publish();
    this.#options = options;
    this.#startedAt = options.now().toISOString();
    this.#parts = options.assemble(() => this.#present?.config, onChange);
    this.#supervisor = superviseModules({ definitions: this.#parts.definitions, log, random, onChange });
  }

  async start(signal: AbortSignal): Promise<void> {
    const { config, stateFolder, files } = this.#options;
    this.#present = stateFolder === undefined ? await config?.readExisting() : await config?.read();
    const folder = stateFolder ?? folderOf(this.#present?.config);
    await files.createFolder(folder);
    if (this.#present !== undefined) this.#options.onStateFolder?.(folder);
    this.#status = statusFile(folder, files, () => this.#describe());
    await this.#startModules(signal);
    await this.#status.publish();
    this.#timer = setInterval(() => void this.#publish(), STATUS_INTERVAL_MS);
    this.#timer.unref();
  }

  async reload(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#takeUp();
        this.#reloads += 1;
        this.#lastReload = { at: this.#options.now().toISOString(), outcome: 'applied' };
      } catch (cause) {
        this.#options.log.error('Cannot reload; the old configuration stays in effect', failureFields(cause));
        this.#lastReload = { at: this.#options.now().toISOString(), outcome: 'refused', ...describeFailure(cause) };
        throw cause;
      } finally {
        await this.#publish();
      }
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#supervisor.stop();
    await this.#status?.remove();
  }

  async #startModules(signal: AbortSignal): Promise<void> {
    if (this.#present === undefined) {
      this.#options.log.info('There is no configuration; the agent idles');
      return;
    }
    const breakOff = (): void => void this.#supervisor.stop();
    signal.addEventListener('abort', breakOff, { once: true });
    await this.#supervisor.start(this.#present.config);
    signal.removeEventListener('abort', breakOff);
  }

  async #takeUp(): Promise<void> {
    const { config, log } = this.#options;
    const next = this.#present === undefined ? await config?.read() : await config?.readExisting();
    if (next === undefined) return;
    const before = this.#present;
    // Modules read through `present` while they start, so it has to be the new one by then.
    this.#present = next;
    try {
      const changed = await (before === undefined ? this.#begin(next.config) : this.#supervisor.reload(next.config));
      log.info('Reloaded', { changed: changed.join(', ') });
    } catch (cause) {
      this.#present = before;
      throw cause;
    }
  }

  async #begin(config: EdgecoreConfig): Promise<readonly string[]> {
    this.#options.onStateFolder?.(this.#options.stateFolder ?? folderOf(config));
    await this.#supervisor.start(config);
    return ['everything'];
  }

  async #publish(): Promise<void> {
    await this.#status?.publish().catch((cause: unknown) => {
      this.#options.log.warn('Cannot write the status file', failureFields(cause));
    });
  }

  #describe(): AgentStatus {
    const own = {
      version: this.#options.version,
      pid: process.pid,
      startedAt: this.#startedAt,
      reloads: this.#reloads,
      ...(this.#lastReload === undefined ? {} : { lastReload: this.#lastReload }),
    };
    return this.#present === undefined ? own : { ...own, ...this.#describeNode(this.#present) };
  }

  #describeNode({ config, sha256 }: ReadConfig): Partial<AgentStatus> {
    const connected = this.#parts.connected();
    const problem = this.#parts.problem();
    const node = this.#parts.node();
    const pods = this.#parts.pods();
    return {
      nodeName: config.modules.edged.hostnameOverride,
      configSha256: sha256,
      connected,
      ...(connected || problem === undefined ? {} : { problem: describeFailure(problem) }),
      ...(node === undefined ? {} : { node }),
      modules: [...this.#supervisor.reports()],
      ...(pods === undefined ? {} : { pods: [...pods] }),
    };
  }
}

function folderOf(config: EdgecoreConfig | undefined): string {
  if (config !== undefined) return dirname(config.database.dataSource);
  throw new Error('An agent needs a state folder or a configuration');
}
