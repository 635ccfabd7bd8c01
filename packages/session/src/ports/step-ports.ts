import type {
  AccessControl,
  ContainerNetworks,
  FileStore,
  Firewall,
  Host,
  ServiceManager,
  SystemSetup,
} from '@fenestra/platform';
import type { OpenWorkerCluster } from './worker-cluster.ts';
import type { OpenNodeCloud } from './node-cloud.ts';

/**
 * What a run knows and its journal must not: a join token, a passphrase, a configuration with passwords in it. A step
 * names what it needs; recovery has none of them, because a run that still needs one is undone.
 */
export type Secrets = ReadonlyMap<string, string>;

/** What the steps of a node's life work with. */
export interface StepPorts {
  readonly host: Host;
  readonly secrets: Secrets;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly services: ServiceManager;
  /** Left out by a program that carries no client of the cloud. */
  readonly openCloud?: OpenNodeCloud;
  /** Left out likewise: the cluster, as a plain Kubernetes worker sees it. */
  readonly openCluster?: OpenWorkerCluster;
  /** Only a plain Kubernetes worker needs these two. */
  readonly firewall?: Firewall;
  readonly networks?: ContainerNetworks;
  /** Left out where the system has none: only images of Windows are made by it. */
  readonly setup?: SystemSetup | undefined;
}
