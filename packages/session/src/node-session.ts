import type { ExecutionEvent, StepHandler } from '@fenestra/kernel';
import type { Host, NodeLayout } from '@fenestra/platform';
import type { StepPorts } from './ports/step-ports.ts';

/** One machine, as a life-cycle command works on it. */
export interface NodeSession {
  readonly host: Host;
  readonly layout: NodeLayout;
  readonly ports: StepPorts;
  /** Every kind of step there is, so that recovery can deal with whatever a journal holds. */
  readonly handlers: readonly StepHandler<StepPorts>[];
  readonly programVersion: string;
  /** This program's own file. */
  readonly executable: string;
  /** The folder below which the node lives, if not the whole machine. */
  readonly root: string | undefined;
  readonly now: () => Date;
  readonly onEvent: (event: ExecutionEvent) => void;
}
