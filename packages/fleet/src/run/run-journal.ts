import { isEvent, type NewRunRecord, type RunRecord } from './record.ts';
import type { RunOptions } from './run.ts';
import { advance, type GrowingState, type RunState } from './run-state.ts';

/** The state of a run and the only way to change it: a record is flushed to disk, then applied, then published. */
export interface RunJournal {
  readonly state: RunState;
  /** Resolves when the record is on disk. If that fails, `onBroken` gets the error and the run cannot continue. */
  append(record: NewRunRecord): Promise<void>;
  /** Publishes an event that is not kept in the journal. */
  publish(event: NewRunRecord): void;
}

type JournalOptions = Pick<RunOptions, 'records' | 'clock' | 'onEvent'>;

/** Opens the journal of a run with this state. */
export function openRunJournal(
  options: JournalOptions,
  state: GrowingState,
  onBroken: (error: unknown) => void,
): RunJournal {
  const { records, clock, onEvent } = options;
  const stamp = (record: NewRunRecord): RunRecord => ({ ...record, time: clock.now().toISOString() });
  const publish = (record: RunRecord): void => {
    if (isEvent(record)) onEvent(record);
  };
  return {
    state,
    async append(record) {
      const stamped = stamp(record);
      await records.append(stamped).catch((error: unknown) => {
        onBroken(error);
        throw error;
      });
      advance(state, stamped);
      publish(stamped);
    },
    publish: (event) => publish(stamp(event)),
  };
}
