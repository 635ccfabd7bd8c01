import type { AccessControl, FileStore, ServiceManager } from '@fenestra/platform';

/** What the steps of a node's life work with. */
export interface StepPorts {
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly services: ServiceManager;
}
