import { OperatorError } from '@fenestra/kernel';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { OpenedRecord } from './record.ts';

/** Throws if a run would go on with other nodes or other commands than it began with. */
export function requireSameBatch({ run, nodes: known }: OpenedRecord, nodes: readonly BatchNode[]): void {
  const now = new Map(nodes.map((node) => [node.name, node.shownCommand.join('\0')]));
  const before = new Map(known.map((node) => [node.name, node.shownCommand.join('\0')]));
  const changed = [...new Set([...before.keys(), ...now.keys()])].find((name) => before.get(name) !== now.get(name));
  if (changed === undefined) return;
  throw new OperatorError('CONFIG_INVALID', `Cannot go on with the run "${run}": the batch file has changed since`, {
    hint: `Put back what it said about the node "${changed}", or begin a new run: nodes that are as wanted are left alone.`,
    details: { run, node: changed },
  });
}
