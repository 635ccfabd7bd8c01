import type { BatchEvent } from '@fenestra/fleet';
import { cleanText } from '@fenestra/platform/terminal-text';

const OUTCOMES: Readonly<Record<Extract<BatchEvent, { type: 'run-ended' }>['outcome'], string>> = {
  'all-well': 'succeeded',
  'some-failed': 'failed on some nodes',
  halted: 'halted',
  aborted: 'aborted',
};

/** Makes lines of the events of a run; what a node has just said is not repeated as what it is doing. */
export function plainLines(): (event: BatchEvent) => string | undefined {
  const said = new Map<string, string>();
  return (event) => {
    if (event.type === 'node-log') said.set(event.node, event.line.trim());
    const isEcho = event.type === 'node' && event.text !== undefined && event.text === said.get(event.node);
    return isEcho ? undefined : plainLine(event);
  };
}

/** An event as one line for a log, with the time and the node before it; `undefined` for what no log needs. */
export function plainLine(event: BatchEvent): string | undefined {
  const text = eventText(event);
  return text === undefined ? undefined : `${event.time.slice(11, 19)} ${cleanText(text)}`;
}

function eventText(event: BatchEvent): string | undefined {
  switch (event.type) {
    case 'run-begun':
      return `run ${event.run} ${event.resumed ? 'resumed' : 'started'}, ${nodesText(event.nodes)}`;
    case 'wave-begun':
      return `wave "${event.wave}" started, ${nodesText(event.nodes.length)}`;
    case 'wave-soaking':
      return `wave "${event.wave}" soaks for ${event.seconds} s`;
    case 'wave-ended':
      return `wave "${event.wave}" finished`;
    case 'node':
      return nodeText(event);
    case 'node-log':
      return `[${event.node}] ${event.line}`;
    case 'node-progress':
      return undefined;
    case 'paused':
      return 'paused: no more commands start until "keadm batch continue"';
    case 'resumed':
      return 'continued';
    case 'halted':
      return `HALTED in wave "${event.wave}": ${event.reason}`;
    case 'run-ended':
      return `run finished: ${OUTCOMES[event.outcome]}`;
  }
}

function nodesText(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}

function nodeText({ node, state, text, attempt, failure }: Extract<BatchEvent, { type: 'node' }>): string {
  const again = attempt !== undefined && attempt > 1 ? ` (attempt ${attempt})` : '';
  const why = failure === undefined ? (text ?? '') : `${failure.code}: ${failure.message}`;
  return `[${node}] ${state}${again}${why === '' ? '' : `: ${why}`}`;
}
