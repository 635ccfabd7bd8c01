import type { BatchNode } from '../inventory/batch.ts';
import { type BudgetQueue, openBudgetQueue } from './budgets.ts';
import type { WorkContext } from './node-worker.ts';
import { isEvent, type NewRunRecord, type RunRecord } from './record.ts';
import { advance, type GrowingState, type Halt, type NodeStanding, type RunState } from './run-state.ts';
import type { RunOptions } from './run.ts';

/** What the parts of a run share while it is in progress. */
export interface RunContext {
  readonly options: RunOptions;
  readonly journal: RunJournal;
  readonly budgets: BudgetQueue;
  /** Fires when nothing new may begin. */
  readonly noMore: AbortSignal;
  /** Fires when work in flight must be interrupted. */
  readonly interrupt: AbortSignal;
  /** Fires when this process cannot continue; the run rejects with its reason. */
  readonly gone: AbortSignal;
  /** The nodes that this process has surveyed itself. */
  readonly surveyed: Set<string>;
  standing(node: BatchNode): NodeStanding;
  workContext(node: BatchNode, signal: AbortSignal): WorkContext;
  /** Prevents new work and records why; an abort also interrupts work in flight. */
  halt(halt: Halt): Promise<void>;
}

/** Makes the context of a run from the state its journal gives. */
export function createRunContext(options: RunOptions, state: GrowingState): RunContext {
  const noMore = new AbortController();
  const interrupt = new AbortController();
  const gone = new AbortController();
  const leave = (reason: unknown): void => {
    for (const controller of [gone, interrupt, noMore]) controller.abort(reason);
  };
  const journal = openRunJournal(options, state, leave);
  const requested = new Set<Halt['by']>();
  if (options.signal.aborted) leave(options.signal.reason);
  options.signal.addEventListener('abort', () => leave(options.signal.reason), { once: true });
  return {
    options,
    journal,
    budgets: openBudgetQueue(options.policy.budgets),
    noMore: noMore.signal,
    interrupt: interrupt.signal,
    gone: gone.signal,
    surveyed: new Set(),
    standing: ({ name }) => standingIn(state, name),
    workContext: (node, signal) => workContext(options, journal, node, signal),
    async halt(halt) {
      noMore.abort();
      if (halt.by === 'abort') interrupt.abort();
      // A request after a halt by rule does not change the recorded reason.
      if (state.halt?.by === 'rule' || requested.has('rule') || requested.has(halt.by)) return;
      requested.add(halt.by);
      await journal.append({ type: 'halted', ...halt });
    },
  };
}

/** Runs `work` for all these nodes at once, limited only by the budgets. Waits for all of them, even if some reject. */
export async function forAll(
  run: RunContext,
  nodes: readonly BatchNode[],
  work: (node: BatchNode) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(nodes.map(async (node) => work(node)));
  run.gone.throwIfAborted();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function standingIn(state: RunState, name: string): NodeStanding {
  const standing = state.nodes.get(name);
  if (standing === undefined) throw new Error(`the run has no node "${name}"`);
  return standing;
}

function workContext(options: RunOptions, journal: RunJournal, { name }: BatchNode, signal: AbortSignal): WorkContext {
  return {
    runId: options.id,
    commandTry: standingIn(journal.state, name).commandTry,
    signal,
    log(line) {
      options.records.log(name, line);
      journal.publish({ type: 'node-log', node: name, line });
    },
    say: (text) => publishActivity(journal, name, text),
    progress: (doneBytes, totalBytes) => journal.publish({ type: 'node-progress', node: name, doneBytes, totalBytes }),
  };
}

/** Publishes what a node is doing now, together with the state it is in. */
function publishActivity(journal: RunJournal, node: string, text: string): void {
  const standing = journal.state.nodes.get(node);
  if (standing !== undefined) journal.publish({ type: 'node', node, state: standing.state, text });
}

/** The state of a run and the only way to change it: a record is flushed to disk, then applied, then published. */
interface RunJournal {
  readonly state: RunState;
  /** Resolves when the record is on disk. If that fails, `onBroken` gets the error and the run cannot continue. */
  append(record: NewRunRecord): Promise<void>;
  /** Publishes an event that is not kept in the journal. */
  publish(event: NewRunRecord): void;
}

type JournalOptions = Pick<RunOptions, 'records' | 'clock' | 'onEvent'>;

function openRunJournal(options: JournalOptions, state: GrowingState, onBroken: (error: unknown) => void): RunJournal {
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
