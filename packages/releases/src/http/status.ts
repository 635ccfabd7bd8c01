import { OperatorError } from '@fenestra/kernel';
import { publicAddress } from './address.ts';

/** Some file stores say "forbidden" of what is not there. */
const ABSENT = [403, 404, 410];
const PASSING = [408, 425, 429];

/** Whether the server says that there is no such file. */
export function isAbsent(status: number): boolean {
  return ABSENT.includes(status);
}

/** What a status means that is no success: a plain error if it may pass, else `DOWNLOAD_FAILED`. */
export function statusError(url: URL, status: number): Error {
  if (status >= 500 || PASSING.includes(status)) return new Error(`the server answers ${status}`);
  return new OperatorError('DOWNLOAD_FAILED', `Cannot fetch "${publicAddress(url)}": the server answers ${status}`, {
    hint: isAbsent(status) ? 'Check the address and the version.' : 'Check the address and who may read it.',
    details: { status },
  });
}
