import type { SystemLog } from '@fenestra/edgecore';
import type {
  AccessControl,
  ContainerNetworks,
  FileStore,
  Firewall,
  Host,
  NodeLayout,
  PodHost,
  ProgramHost,
  Scripts,
  ServiceHost,
  ServiceManager,
  SystemSetup,
  WorkerHostFacts,
  WorkerLayout,
} from '@fenestra/platform';

/** One operating system behind all ports. */
export interface Platform {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly serviceHost: ServiceHost;
  readonly programHost: ProgramHost;
  readonly layout: NodeLayout;
  readonly workerLayout: WorkerLayout;
  readonly services: ServiceManager;
  readonly scripts: Scripts;
  readonly pods: PodHost;
  readonly firewall: Firewall;
  readonly networks: ContainerNetworks;
  readonly workerFacts: () => Promise<WorkerHostFacts>;
  readonly setup: SystemSetup | undefined;
  /** Where things are on a Windows machine, whatever this one is. */
  readonly windows: { readonly layout: NodeLayout; readonly workerLayout: WorkerLayout };
  /** Where administrators look for an agent's errors, if that is not where its standard error goes anyway. */
  readonly systemLog: SystemLog | undefined;
}
