import { OperatorError, type OperatorErrorOptions, systemCodeOf } from '@fenestra/kernel';
import type { RemoteTarget } from '@fenestra/platform';
import { placeName } from './host-keys/judge-host-key.ts';

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
]);

const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

/** Nothing answers there, or the connection is refused. */
export function unreachable(target: RemoteTarget, reason: string, cause?: unknown): OperatorError {
  return new OperatorError('REMOTE_UNREACHABLE', `Cannot reach ${placeName(target)}: ${reason}`, {
    hint: NO_SUCH_NAME.has(systemCodeOf(cause)) ? nameHint(target) : REACH_HINT,
    cause,
  });
}

/** Whether a machine was not reached because no one here knows its name. */
export function isNameUnknown({ code, cause }: OperatorError): boolean {
  return code === 'REMOTE_UNREACHABLE' && NO_SUCH_NAME.has(systemCodeOf(cause));
}

const REACH_HINT = 'Check the address, the port, and that an SSH server runs there.';

function nameHint({ transport }: RemoteTarget): string {
  return transport === 'library'
    ? 'Check the name. If only your ssh configuration defines it (Host, ProxyCommand), remove "transport: library".'
    : 'Check the name, and what your ssh has for it in its settings.';
}

/** It takes longer than it may. */
export function tooSlow(target: RemoteTarget, activity: string, seconds: number, cause?: unknown): OperatorError {
  return new OperatorError('REMOTE_TIMEOUT', `Cannot ${activity} ${placeName(target)} within ${seconds} s`, {
    hint: 'Check the way to the machine, or allow more time under "timeouts".',
    cause,
  });
}

/** The connection was there, and is gone. */
export function lost(target: RemoteTarget, reason: string, cause?: unknown): OperatorError {
  return new OperatorError('REMOTE_LOST', `Lost the connection to ${placeName(target)}: ${reason}`, {
    hint: 'Check the network and the machine, then try again.',
    cause,
  });
}

/** The machine does not let us in. What it would take is among the details, as `offered`, if it has said so. */
export function refused(target: RemoteTarget, reason: string, options: OperatorErrorOptions): OperatorError {
  return new OperatorError(
    'REMOTE_AUTH',
    `Cannot log in to ${placeName(target)} as "${target.user}": ${reason}`,
    options,
  );
}

/** Neither side's library knows what the other one wants. */
export function noCommonLanguage(target: RemoteTarget, reason: string, cause?: unknown): OperatorError {
  return new OperatorError('REMOTE_UNSUPPORTED', `Cannot communicate with ${placeName(target)}: ${reason}`, {
    hint: 'Try "transport: system" for this machine, or update its SSH server.',
    cause,
  });
}

/** What an error of the network means for a connection that is being made. */
export function connectError(target: RemoteTarget, cause: unknown): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const code = systemCodeOf(cause);
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : code;
  if (code === 'ETIMEDOUT') return tooSlow(target, 'reach', target.limits.connectSeconds, cause);
  if (UNREACHABLE.has(code)) return unreachable(target, reason, cause);
  if (isHandshake(cause)) return noCommonLanguage(target, reason, cause);
  return lost(target, reason, cause);
}

function isHandshake(cause: unknown): boolean {
  return cause instanceof Error && /no matching .* algorithm/i.test(cause.message);
}

/** A file could not be written there. */
export function deliveryFailed(target: RemoteTarget, path: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError('DELIVERY_FAILED', `Cannot write "${path}" on ${placeName(target)}: ${reason}`, {
    hint: 'Check that the folder is there, that this account may write in it, and that the disk is not full.',
    cause,
  });
}

/** The machine gives us no file transfer. */
export function noFileTransfer(target: RemoteTarget, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(
    'DELIVERY_FAILED',
    `Cannot send files to ${placeName(target)}: it offers no SFTP (${reason})`,
    {
      hint: 'Switch on the SFTP subsystem of its SSH server, and see that no profile of the account prints anything.',
      cause,
    },
  );
}
