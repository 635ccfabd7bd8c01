import type { BatchEvent, BatchFailure, BatchNodeState } from './events.ts';
import { standingOf } from './node-states.ts';
import type { NodeVersions } from './node-versions.ts';

/** How many of the last lines of a node are kept for the report; all of them are in its log. */
const KEPT_LINES = 20;

/** One node of a run, as the events tell of it. Times are in milliseconds since 1970. */
export interface NodeAccount {
  readonly name: string;
  readonly state: BatchNodeState;
  readonly wave: string | undefined;
  /** The words for keadm as anyone may see them; the events tell neither these nor the versions. */
  readonly command: readonly string[] | undefined;
  readonly versions: NodeVersions;
  readonly text: string | undefined;
  /** How often what it is at was tried; 0 if nothing was begun since it was looked at. */
  readonly attempt: number;
  readonly failure: BatchFailure | undefined;
  /** When something was begun that it has not waited after. */
  readonly begunAt: number | undefined;
  readonly changedAt: number;
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** The last that was said there. */
  readonly lines: readonly string[];
}

/** The nodes that the event says something about, as they are after it. */
export function nodesAfter(nodes: ReadonlyMap<string, NodeAccount>, event: BatchEvent): readonly NodeAccount[] {
  const known = (name: string): NodeAccount => nodes.get(name) ?? newNode(name, Date.parse(event.time));
  switch (event.type) {
    case 'wave-begun':
      return event.nodes.map((name) => ({ ...known(name), wave: event.wave }));
    case 'node':
      return [moved(known(event.node), event)];
    case 'node-progress':
      return [{ ...known(event.node), doneBytes: event.doneBytes, totalBytes: event.totalBytes }];
    case 'node-log': {
      const node = known(event.node);
      return [{ ...node, lines: [...node.lines, event.line].slice(-KEPT_LINES) }];
    }
    case 'run-begun':
    case 'wave-soaking':
    case 'wave-ended':
    case 'paused':
    case 'resumed':
    case 'halted':
    case 'run-ended':
      return [];
  }
}

function newNode(name: string, now: number): NodeAccount {
  return {
    name,
    state: 'waiting',
    wave: undefined,
    command: undefined,
    versions: { before: undefined, after: undefined },
    text: undefined,
    attempt: 0,
    failure: undefined,
    begunAt: undefined,
    changedAt: now,
    doneBytes: 0,
    totalBytes: 0,
    lines: [],
  };
}

/** A failure is reported with the state that it leads to; a node that works again has none. */
function moved(node: NodeAccount, { time, state, text, attempt, failure }: Extract<BatchEvent, { type: 'node' }>) {
  const now = Date.parse(time);
  const keepsFailure = state === node.state || ['retrying', 'rolling-back', 'rolled-back', 'failed'].includes(state);
  return {
    ...node,
    state,
    text,
    attempt: attempt ?? attemptIn(state, node.attempt),
    failure: failure ?? (keepsFailure ? node.failure : undefined),
    begunAt: standingOf(state) === 'untouched' ? undefined : (node.begunAt ?? now),
    changedAt: state === node.state ? node.changedAt : now,
  };
}

/** To wait for its turn is the end of having been looked at, and the beginning of nothing. */
function attemptIn(state: BatchNodeState, before: number): number {
  if (state === 'waiting') return 0;
  return standingOf(state) === 'untouched' ? before : Math.max(1, before);
}
