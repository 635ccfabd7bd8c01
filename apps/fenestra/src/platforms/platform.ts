import type { AccessControl, FileStore, Host, NodeLayout, ServiceHost, ServiceManager } from '@fenestra/platform';

/** One operating system behind all ports. */
export interface Platform {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly serviceHost: ServiceHost;
  readonly layout: NodeLayout;
  readonly services: ServiceManager;
}
