import type { Firewall, SystemSetup, WorkerHostFacts, WorkerLayout } from '@fenestra/platform';
import type { NodeSession, StepPorts } from '@fenestra/session';

/** What the steps of an image's making work with. */
export interface ImagePorts extends StepPorts {
  readonly setup: SystemSetup;
  readonly firewall: Firewall;
}

/** The machine that becomes an image, as a command works on it. */
export interface ImageSession extends NodeSession {
  readonly ports: ImagePorts;
  readonly worker: WorkerLayout;
  readonly workerFacts: () => Promise<WorkerHostFacts>;
}
