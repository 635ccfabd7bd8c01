import { edgecoreDefaults, type EdgecoreConfig } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import type { AgentModule, ModuleDefinition } from '../../modules/agent-module.ts';
import { metaManagerModule } from '../meta-manager.ts';
import { createNodeMemory, type NodeMemory } from '../node-memory.ts';
import { type TestCloud, testCloud } from './test-cloud.ts';

/** A node's memory with module `metaManager` running behind it, and a cloud. */
export interface RunningMemory {
  readonly cloud: TestCloud;
  readonly memory: NodeMemory;
  /** Stops the module and starts it again, as after a restart of the agent. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a memory on a database file. */
export async function runMemory(file: string): Promise<RunningMemory> {
  const cloud = testCloud();
  const host = createNodeMemory(cloud.hub, () => new Date());
  const definition = metaManagerModule({ hub: cloud.hub, memory: host, now: () => new Date(), random: () => 0.5 });
  const config = configWith(file);
  let module = await startModule(definition, config);
  return {
    cloud,
    memory: host.memory,
    restart: async () => {
      await module.stop();
      module = await startModule(definition, config);
    },
    stop: async () => module.stop(),
  };
}

/** The default configuration of a Linux node, with its database at `file`. */
export function configWith(file: string): EdgecoreConfig {
  const defaults = edgecoreDefaults('linux', { hostName: 'n1', cloudAddress: '127.0.0.1' });
  return { ...defaults, database: { ...defaults.database, dataSource: file } };
}

/** Makes a module and starts it. */
export async function startModule(definition: ModuleDefinition, config: EdgecoreConfig): Promise<AgentModule> {
  const module = definition.create(config, { log: silentLogger(), fail: () => {} });
  await module.start(new AbortController().signal);
  return module;
}
