import { OperatorError } from '@fenestra/kernel';
import type { ResetFacts } from '@fenestra/lifecycle';
import type { KeadmEnvironment } from '../platform.ts';

/**
 * Has the operator type the node's name, or the machine's where nothing tells the node's. Without a terminal the answer
 * has to be on the command line.
 */
export async function confirmReset(
  { terminal, signal }: Pick<KeadmEnvironment, 'terminal' | 'signal'>,
  { nodeName, nameKnown }: Pick<ResetFacts, 'nodeName' | 'nameKnown'>,
): Promise<void> {
  const what = nameKnown ? `the node "${nodeName}"` : `the node of the machine "${nodeName}"`;
  if (terminal.ask === undefined) throw noTerminal(what);
  const question = `This removes ${what} permanently. Type ${nameKnown ? 'its' : "the machine's"} name to continue: `;
  const answer = await terminal.ask(question, signal).catch(() => '');
  if (answer.trim() !== nodeName) throw notConfirmed(what);
}

/** Takes upstream's `reset edge`. Its `reset cloud` is about something else. */
export function requireEdge(part: string | undefined): void {
  if (part === undefined || part === 'edge') return;
  throw new OperatorError('USAGE', `Cannot reset "${part}"`, {
    hint: '"keadm reset" resets a node. To stop a cloud on this machine, run "keadm cloud stop".',
  });
}

function noTerminal(what: string): OperatorError {
  return new OperatorError('CONFIRMATION_NEEDED', `Cannot reset ${what} without confirmation: there is no terminal`, {
    hint: 'Add "--force" to the command, or run it in a terminal.',
  });
}

function notConfirmed(what: string): OperatorError {
  return new OperatorError('CONFIRMATION_NEEDED', `Cannot reset ${what}: the name does not match`, {
    hint: 'Run the command again and type the name exactly as shown.',
  });
}
