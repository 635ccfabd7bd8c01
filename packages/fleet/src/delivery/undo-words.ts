import { OperatorError } from '@fenestra/kernel';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { NodeSurvey } from '../run/node-worker.ts';
import type { Places } from './far-system.ts';
import { commandKind, rootOf } from './wishes.ts';

/** The keadm command that undoes the node's, given how the node was before it. */
export function undoWords(
  { name, shownCommand: command }: Pick<BatchNode, 'name' | 'shownCommand'>,
  { state, installedVersion }: Pick<NodeSurvey, 'state' | 'installedVersion'>,
  { configBefore }: Pick<Places, 'configBefore'>,
): readonly string[] {
  const root = rootOf(command);
  const below = root === undefined ? [] : ['--root', root];
  switch (commandKind(command)) {
    case 'upgrade':
      return ['rollback', ...(installedVersion === undefined ? [] : [installedVersion]), ...below];
    case 'join':
      if (state === 'absent') return ['reset', '--force', ...below];
      throw cannotUndo(name, 'the machine had a node already, which "keadm join" has brought back to work');
    case 'config':
      return ['config', 'apply', configBefore, ...below];
    case 'reset':
      throw cannotUndo(name, 'a node that was reset has to join again');
    case 'other':
      throw cannotUndo(name, `nothing undoes "keadm ${command[0] ?? ''}"`);
  }
}

function cannotUndo(node: string, why: string): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot roll "${node}" back: ${why}`, {
    hint: 'Bring the node by hand to the state that you want.',
  });
}
