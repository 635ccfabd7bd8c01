import type { NodeReport } from '@fenestra/contracts';
import type { NodeStatus } from './node-status.ts';

/** What is known of the node's standing in the cloud. */
export interface Standing {
  readonly registered: boolean;
  /** The last status the cloud has taken. */
  readonly told: NodeStatus | undefined;
  /** Why the last try to tell the cloud failed. */
  readonly problem: string | undefined;
}

/** Says how the cloud knows the node. */
export function nodeReport({ registered, told, problem }: Standing): NodeReport {
  const condition = told?.conditions.find(({ type }) => type === 'Ready');
  const ready = condition?.status ?? 'Unknown';
  const reason = problem ?? condition?.message;
  return { registered, ready, ...(ready === 'True' || reason === undefined ? {} : { reason }) };
}
