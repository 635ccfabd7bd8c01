import type { ExecutionEvent } from '@fenestra/kernel';
import type { Host, NodeLayout } from '@fenestra/platform';
import type { StepPorts } from '../ports.ts';

/** One machine, as a life-cycle command works on it. */
export interface NodeSession {
  readonly host: Host;
  readonly layout: NodeLayout;
  readonly ports: StepPorts;
  readonly programVersion: string;
  /** This program's own file. */
  readonly executable: string;
  /** The folder below which the node lives, if not the whole machine. */
  readonly root: string | undefined;
  readonly now: () => Date;
  readonly onEvent: (event: ExecutionEvent) => void;
}
