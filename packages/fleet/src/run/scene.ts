import type { BatchNode } from '../inventory/batch-node.ts';
import { openLedger, type Ledger } from './ledger.ts';
import type { WorkContext } from './node-worker.ts';
import type { RunOptions } from './run.ts';
import type { GrowingState, Halt, NodeStanding, RunState } from './run-state.ts';
import { openSlots, type Slots } from './slots.ts';

/** What the parts of a run share while it goes on. */
export interface Scene {
  readonly options: RunOptions;
  readonly ledger: Ledger;
  readonly slots: Slots;
  /** Fires when nothing new may begin. */
  readonly noMore: AbortSignal;
  /** Fires when what is in flight is to be interrupted. */
  readonly interrupt: AbortSignal;
  /** Fires when this process can do nothing any more; its reason is what the run ends with. */
  readonly gone: AbortSignal;
  /** The nodes that this process has looked at itself. */
  readonly surveyed: Set<string>;
  standing(node: BatchNode): NodeStanding;
  context(node: BatchNode, signal: AbortSignal): WorkContext;
  /** Lets nothing new begin, and says why; what is to be interrupted by it is, too. */
  halt(halt: Halt): Promise<void>;
}

/** Sets the scene for a run that stands like this. */
export function setScene(options: RunOptions, state: GrowingState): Scene {
  const noMore = new AbortController();
  const interrupt = new AbortController();
  const gone = new AbortController();
  const leave = (reason: unknown): void => {
    for (const controller of [gone, interrupt, noMore]) controller.abort(reason);
  };
  const ledger = openLedger(options, state, leave);
  const asked = new Set<Halt['by']>();
  if (options.signal.aborted) leave(options.signal.reason);
  options.signal.addEventListener('abort', () => leave(options.signal.reason), { once: true });
  return {
    options,
    ledger,
    slots: openSlots(options.policy.budgets),
    noMore: noMore.signal,
    interrupt: interrupt.signal,
    gone: gone.signal,
    surveyed: new Set(),
    standing: ({ name }) => standingIn(state, name),
    context: (node, signal) => workContext(options, ledger, node, signal),
    async halt(halt) {
      noMore.abort();
      if (halt.by === 'abort') interrupt.abort();
      // Whoever asks for a halt that the rules had brought about already changes nothing about the reason.
      if (state.halt?.by === 'rule' || asked.has('rule') || asked.has(halt.by)) return;
      asked.add(halt.by);
      await ledger.tell({ type: 'halted', ...halt });
    },
  };
}

function standingIn(state: RunState, name: string): NodeStanding {
  const standing = state.nodes.get(name);
  if (standing === undefined) throw new Error(`the run does not know the node "${name}"`);
  return standing;
}

function workContext(options: RunOptions, ledger: Ledger, { name }: BatchNode, signal: AbortSignal): WorkContext {
  return {
    runId: options.id,
    commandTry: standingIn(ledger.state, name).commandTry,
    signal,
    log(line) {
      options.records.log(name, line);
      ledger.remark({ type: 'node-log', node: name, line });
    },
    say: (text) => sayOf(ledger, name, text),
    progress: (doneBytes, totalBytes) => ledger.remark({ type: 'node-progress', node: name, doneBytes, totalBytes }),
  };
}

/** What a node says about itself goes with the state that it is in. */
function sayOf(ledger: Ledger, node: string, text: string): void {
  const standing = ledger.state.nodes.get(node);
  if (standing !== undefined) ledger.remark({ type: 'node', node, state: standing.state, text });
}
