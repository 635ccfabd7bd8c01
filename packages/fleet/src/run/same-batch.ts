import { OperatorError } from '@fenestra/kernel';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { OpenedRecord } from './record.ts';

/** Throws if a run would be resumed with other nodes or commands than it was started with. */
export function requireSameBatch({ run, nodes: known }: OpenedRecord, nodes: readonly BatchNode[]): void {
  const now = new Map(nodes.map((node) => [node.name, node.shownCommand.join('\0')]));
  const before = new Map(known.map((node) => [node.name, node.shownCommand.join('\0')]));
  const changed = [...new Set([...before.keys(), ...now.keys()])].find((name) => before.get(name) !== now.get(name));
  if (changed === undefined) return;
  throw new OperatorError('CONFIG_INVALID', `Cannot resume the run "${run}": the batch file has changed`, {
    hint: `Restore the settings of the node "${changed}", or start a new run: it skips nodes that are up to date.`,
    details: { run, node: changed },
  });
}
