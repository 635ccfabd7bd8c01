import { OperatorError } from '@fenestra/kernel';

/** Whether a failure has this code. */
export function hasCode(error: unknown, ...codes: readonly OperatorError['code'][]): error is OperatorError {
  return error instanceof OperatorError && codes.includes(error.code);
}

/** Machines without a shell that we could use, or of a kind that nothing is made for. */
export function unsupported(node: string, why: string): OperatorError {
  return new OperatorError('REMOTE_UNSUPPORTED', `Cannot work on "${node}": ${why}`, {
    hint: 'Nodes are Linux or Windows machines with a 64-bit Intel or Arm processor, and a shell for this account.',
  });
}

/** sudo or doas did not let us. */
export function becomeRefused(node: string, method: string, said: string): OperatorError {
  return new OperatorError('BECOME_REFUSED', `Cannot become administrator with ${method} on "${node}": ${said}`, {
    hint: `Check "become" in the file: the password, and whether the account may use ${method} there.`,
  });
}

/** Less room there than what has to be sent. */
export function noRoom(node: string, needed: number, free: number): OperatorError {
  return new OperatorError(
    'DISK_FULL',
    `Cannot send ${megabytes(needed)} to "${node}": its disk has ${megabytes(free)} free`,
    { hint: 'Free some space on that machine, then run "keadm batch retry".', details: { needed, free } },
  );
}

/** Something of a delivery did not arrive as it was sent. */
export function notDelivered(node: string, why: string): OperatorError {
  return new OperatorError('DELIVERY_FAILED', `Cannot send the files to "${node}": ${why}`, {
    hint: 'Check the disk and the permissions of the account on that machine, then run "keadm batch retry".',
  });
}

/** What is sent has changed here in the meantime. */
export function becameShorter(path: string): OperatorError {
  return new OperatorError('DELIVERY_FAILED', `Cannot send "${path}": it was truncated during the run`, {
    hint: 'Do not change these files during a run. Run "keadm batch retry" to send them again.',
  });
}

/** What has arrived could not be made whole again by the machine's own program for that. */
export function notUnpacked(node: string, packing: string, why: string): OperatorError {
  return new OperatorError('DELIVERY_FAILED', `Cannot unpack what was sent to "${node}" by its ${packing}${why}`, {
    hint: `Fix ${packing} on that machine, or set "compress: never" in the file.`,
    details: { packing },
  });
}

/** Something of the run is left there. */
export function notTidied(node: string, folder: string, why: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot remove "${folder}" on "${node}": ${why}`, {
    hint: 'Make sure that no process of the run is running there, then remove the folder manually.',
  });
}

/** A part of the work took longer than it may. */
export function tookTooLong(node: string, activity: string, seconds: number, cause?: unknown): OperatorError {
  return new OperatorError('REMOTE_TIMEOUT', `"${node}" took longer than ${seconds} s while ${activity}`, {
    hint: 'Check why the machine is slow, or raise the limit under "timeouts" in the file.',
    cause,
  });
}

/** The connection ended and what became of the work there is to be asked later. */
export function lost(node: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError('REMOTE_LOST', `Lost "${node}": ${why}`, {
    hint: 'Run "keadm batch retry" when the machine is reachable: it first checks the result of the command.',
    cause,
  });
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
