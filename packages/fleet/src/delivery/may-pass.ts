import type { FarEndFailure } from '../far-end/messages/result.ts';
import type { ErrorCode } from '@fenestra/kernel';

/**
 * What keadm fails with when something else is in its way for a time: the network, the cloud, a server or another program.
 * It has undone what it did by then. A new version that does not work, or a machine that lacks something, is not among them.
 */
const PASSING: readonly ErrorCode[] = [
  'NODE_LOCKED',
  'FILE_IN_USE',
  'HUB_UNREACHABLE',
  'API_UNREACHABLE',
  'API_FAILED',
  'DOWNLOAD_FAILED',
];

/** Whether a keadm command that has failed on a node may succeed there if it is run again. */
export function mayPass({ code, details = {} }: Pick<FarEndFailure, 'code' | 'details'>): boolean {
  // A server that names its reason has no such file, or does not give it to us; and time does not heal certificates.
  if (code === 'DOWNLOAD_FAILED' && (details['status'] ?? details['certificate']) !== undefined) return false;
  return PASSING.some((passing) => passing === code);
}
