import { type BatchNode, loadBatch, type Batch } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import type { KeadmEnvironment } from '../platform.ts';

/** Which nodes of a file a command is about. */
export interface Selection {
  /** Names; none means all. */
  readonly only: readonly string[];
  /** Labels that a node must have, as `name=value`. */
  readonly select: readonly string[];
}

/** The nodes that were asked for, in the order of the file; a name that is not there, or no node at all, is refused. */
export function selectNodes(nodes: readonly BatchNode[], { only, select }: Selection): readonly BatchNode[] {
  const unknown = only.filter((name) => !nodes.some((node) => node.name === name));
  if (unknown.length > 0) throw unknownNodes(unknown);
  const labels = select.map(parseLabel);
  const chosen = nodes.filter(
    (node) =>
      (only.length === 0 || only.includes(node.name)) && labels.every(({ name, value }) => node.labels[name] === value),
  );
  if (chosen.length === 0) throw noneLeft(select);
  return chosen;
}

function parseLabel(text: string): { readonly name: string; readonly value: string } {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { name, value };
  throw new OperatorError('USAGE', `Cannot use "${text}" as a label`, { hint: 'Give it like "--select site=north".' });
}

function unknownNodes(names: readonly string[]): OperatorError {
  return new OperatorError('USAGE', `Cannot find in the file: "${names.join('", "')}"`, {
    hint: 'Give the names with "--only" as the file has them under "nodeName".',
  });
}

function noneLeft(select: readonly string[]): OperatorError {
  return new OperatorError('USAGE', `No node of the file has the labels "${select.join('", "')}"`, {
    hint: 'Check the labels of the nodes and of their groups in the file.',
  });
}

/** Reads the file of a batch that is to be worked on, and says what its writer may not have meant. */
export async function openBatch(environment: KeadmEnvironment, file: string): Promise<Batch> {
  const batch = await loadBatch(file, { variables: environment.variables });
  for (const { path, reason } of batch.notes) environment.terminal.err(`Note: ${path} ${reason}\n`);
  return batch;
}
