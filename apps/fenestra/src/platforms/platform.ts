import type { SystemLog } from '@fenestra/edgecore';
import type {
  AccessControl,
  FileStore,
  Host,
  NodeLayout,
  Scripts,
  ServiceHost,
  ServiceManager,
} from '@fenestra/platform';

/** One operating system behind all ports. */
export interface Platform {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly serviceHost: ServiceHost;
  readonly layout: NodeLayout;
  readonly services: ServiceManager;
  readonly scripts: Scripts;
  /** Where administrators look for an agent's errors, if that is not where its standard error goes anyway. */
  readonly systemLog: SystemLog | undefined;
}
