import { isEvent, type NewRunRecord, type RunRecord } from './record.ts';
import type { RunOptions } from './run.ts';
import { advance, type GrowingState, type RunState } from './run-state.ts';

/** Where a run stands, and the one way in which that changes: written down first, then so, then told. */
export interface Ledger {
  readonly state: RunState;
  /** Resolves when the record is on disk. If that fails the run cannot go on, and `onBroken` has been told why. */
  tell(record: NewRunRecord): Promise<void>;
  /** Tells what is not worth a place in the journal. */
  remark(event: NewRunRecord): void;
}

type LedgerOptions = Pick<RunOptions, 'records' | 'clock' | 'onEvent'>;

/** Opens the ledger of a run that stands like this. */
export function openLedger(options: LedgerOptions, state: GrowingState, onBroken: (error: unknown) => void): Ledger {
  const { records, clock, onEvent } = options;
  const stamp = (record: NewRunRecord): RunRecord => ({ ...record, time: clock.now().toISOString() });
  return {
    state,
    async tell(record) {
      const stamped = stamp(record);
      await records.append(stamped).catch((error: unknown) => {
        onBroken(error);
        throw error;
      });
      advance(state, stamped);
      if (isEvent(stamped)) onEvent(stamped);
    },
    remark(event) {
      const stamped = stamp(event);
      if (isEvent(stamped)) onEvent(stamped);
    },
  };
}
