import type { ExecutionEvent, StepHandler } from '@fenestra/kernel';
import type { Host, NodeLayout, WorkerHostFacts } from '@fenestra/platform';
import type { StepPorts } from './ports/step-ports.ts';

/** One machine, as a life-cycle command works on it. */
export interface NodeSession {
  readonly host: Host;
  readonly layout: NodeLayout;
  readonly workerFacts: () => Promise<WorkerHostFacts>;
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

/** What a run had to say that is worth knowing when it has ended. */
export interface HeardRun {
  /** The permanent notes of its steps. */
  readonly notes: readonly string[];
  /** The steps that were begun, by their place in the plan. */
  readonly begun: ReadonlySet<number>;
}

/** The session, with someone who listens to its steps. */
export function heardSession<Session extends Pick<NodeSession, 'onEvent'>>(
  session: Session,
): HeardRun & { readonly session: Session } {
  const notes: string[] = [];
  const begun = new Set<number>();
  const onEvent = (event: ExecutionEvent): void => {
    // What an earlier run did that was cut off is not this one's.
    if (event.type === 'begun') begun.clear();
    if (event.type === 'step-begun') begun.add(event.index);
    if (event.type === 'step-note' && event.lasting) notes.push(event.text);
    session.onEvent(event);
  };
  return { session: { ...session, onEvent }, notes, begun };
}
