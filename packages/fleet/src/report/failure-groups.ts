import type { BatchFailure } from './events.ts';
import { standingOf } from './node-states.ts';
import type { NodeAccount } from './node-account.ts';

/** Nodes that failed for the same reason. */
export interface FailureGroup {
  readonly code: string;
  /** One of the messages; they differ by names and addresses at most. */
  readonly failure: BatchFailure;
  readonly nodes: readonly NodeAccount[];
}

const NOT_TOLD: BatchFailure = { code: 'UNKNOWN', message: 'No reason was given', hint: "See the node's log." };

/** The nodes that went wrong by their reasons, the reason that most nodes have first. */
export function failureGroups(nodes: Iterable<NodeAccount>): readonly FailureGroup[] {
  const wrong = [...nodes].filter(({ state, failure }) => standingOf(state) === 'wrong' && !isWithWave(state, failure));
  const groups = Map.groupBy(wrong, ({ failure, name }) => reasonKey(failure ?? NOT_TOLD, name));
  return [...groups.values()].map(toGroup).toSorted((one, other) => other.nodes.length - one.nodes.length);
}

/** It had nothing wrong with it, but went back with the others of its wave. */
function isWithWave(state: NodeAccount['state'], failure: NodeAccount['failure']): boolean {
  return state === 'rolled-back' && failure === undefined;
}

function toGroup(nodes: readonly NodeAccount[]): FailureGroup {
  const failure = nodes[0]?.failure ?? NOT_TOLD;
  return { code: failure.code, failure, nodes };
}

/** The same mistake on two machines reads differently only in what is their own: names, addresses and numbers. */
function reasonKey({ code, message }: BatchFailure, node: string): string {
  const words = message.replaceAll(/"[^"]*"/g, '').split(/\s+/);
  return [code, ...words.filter((word) => word !== node && !/[\d./:]/.test(word))].join(' ');
}
