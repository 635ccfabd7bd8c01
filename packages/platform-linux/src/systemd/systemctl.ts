import { OperatorError } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import { type CommandResult, runCommand } from '../run-command.ts';

/** Runs `systemctl`. What may befall any command, such as missing rights or a signal, is thrown; other failures are returned. */
export async function systemctl(args: readonly string[], signal: AbortSignal): Promise<CommandResult> {
  const result = await runCommand('systemctl', ['--no-ask-password', '--no-pager', ...args], signal);
  throwIfAborted(`running "systemctl ${args.join(' ')}"`, signal);
  if (result.exitCode === undefined) throw missingError();
  if (/access denied|authentication (is )?required|permission denied/i.test(result.stderr))
    throw deniedError(args, result);
  return result;
}

/** Runs `systemctl` for something that must succeed. */
export async function mustSystemctl(args: readonly string[], signal: AbortSignal): Promise<string> {
  const result = await systemctl(args, signal);
  if (result.exitCode !== 0) throw failedError(args, result);
  return result.stdout;
}

function missingError(): OperatorError {
  return new OperatorError('NOT_SUPPORTED', 'Cannot find "systemctl" on this machine', {
    hint: 'Install systemd, or use the supervisor of Fenestra.',
  });
}

function deniedError(args: readonly string[], { stderr }: CommandResult): OperatorError {
  return new OperatorError(
    'PRIVILEGE_REQUIRED',
    `Cannot run "systemctl ${args.join(' ')}" without the rights of root`,
    {
      hint: 'Run the same command again with sudo.',
      details: { stderr: stderr.trim() },
    },
  );
}

function failedError(args: readonly string[], { stderr, exitCode }: CommandResult): OperatorError {
  return new OperatorError('COMMAND_FAILED', `Cannot run "systemctl ${args.join(' ')}"`, {
    hint: 'Read the output of systemctl in the details, then run the command again.',
    details: { stderr: stderr.trim(), exitCode: exitCode ?? -1 },
  });
}
