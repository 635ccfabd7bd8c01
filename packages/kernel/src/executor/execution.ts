import type { JournalFile } from '../journal/journal-file.ts';
import type { BegunRecord, JournalRecord } from '../journal/record.ts';
import type { StepHandler } from '../plan/step-handler.ts';
import type { PlacedStep } from '../plan/step.ts';

/** How far the step that runs right now has come. Shown to people, never journaled. */
export interface StepProgressEvent {
  readonly type: 'step-progress';
  readonly index: number;
  readonly done: number;
  readonly total: number;
}

/** What the step that runs right now waits for, or found out. Shown to people, never journaled. */
export interface StepNoteEvent {
  readonly type: 'step-note';
  readonly index: number;
  readonly text: string;
  /** Whether it is still worth knowing when the command has ended. */
  readonly lasting: boolean;
}

/** Whose work is about to be brought to an end. Shown to people, never journaled: the journal begins with it. */
export interface RunFoundEvent {
  readonly type: 'run-found';
  readonly begun: BegunRecord;
}

/** A damaged journal, of a run that had ended before, was renamed. Shown to people, never journaled. */
export interface JournalSetAsideEvent {
  readonly type: 'journal-set-aside';
  /** Where it is now. */
  readonly path: string;
  readonly damage: string;
}

/** What an observer of a run sees: every journal record once it is on disk, and what a step says in between. */
export type ExecutionEvent = JournalRecord | RunFoundEvent | JournalSetAsideEvent | StepProgressEvent | StepNoteEvent;

/** Everything a run needs besides its plan. */
export interface Execution<Ports> {
  readonly journal: Pick<JournalFile, 'append' | 'path'>;
  readonly handlers: readonly StepHandler<Ports>[];
  readonly ports: Ports;
  readonly onEvent: (event: ExecutionEvent) => void;
}

/** How a run ended. In both cases the machine is in a state that someone planned. */
export type ExecutionOutcome =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'reverted'; readonly failure: unknown; readonly failedStep: PlacedStep | undefined };
