import { OperatorError } from '@fenestra/kernel';
import type { KeadmEnvironment } from '../platform.ts';

/** Has the operator type the node's name. Without one at a terminal the answer has to be on the command line. */
export async function confirmReset(
  { terminal, signal }: Pick<KeadmEnvironment, 'terminal' | 'signal'>,
  nodeName: string,
): Promise<void> {
  if (terminal.ask === undefined) throw nobodyToAsk(nodeName);
  const question = `This takes the node "${nodeName}" off this machine, for good. Type its name to go on: `;
  const answer = await terminal.ask(question, signal).catch(() => '');
  if (answer.trim() !== nodeName) throw notConfirmed(nodeName);
}

/** Takes upstream's `reset edge`. Its `reset cloud` is about something else. */
export function requireEdge(part: string | undefined): void {
  if (part === undefined || part === 'edge') return;
  throw new OperatorError('USAGE', `Cannot reset "${part}"`, {
    hint: 'Only a node is reset: "keadm reset". "keadm cloud stop" stops a cloud on this machine.',
  });
}

function nobodyToAsk(nodeName: string): OperatorError {
  return new OperatorError(
    'CONFIRMATION_NEEDED',
    `Cannot reset the node "${nodeName}" without being told to: there is nobody to ask`,
    {
      hint: 'Add "--force" to the command, or run it in a terminal.',
    },
  );
}

function notConfirmed(nodeName: string): OperatorError {
  return new OperatorError('CONFIRMATION_NEEDED', `The node "${nodeName}" was not reset: that was not its name`, {
    hint: 'Run the command again and type the name as it is shown.',
  });
}
