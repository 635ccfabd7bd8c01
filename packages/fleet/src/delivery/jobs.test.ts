import { ERROR_CODES } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { retryAfter } from '../run/retry.ts';
import type { JobEnd } from './follow.ts';
import { failureOfJob, mayPass } from './jobs.ts';

const JOB = { node: 'edge-1', shown: ['join', '--token=***'], secrets: ['hunter2'], limitSeconds: 60 };
const AWAY = JSON.stringify({ error: { code: 'HUB_UNREACHABLE', message: 'Cannot reach hunter2', hint: 'Wait.' } });

function endOf(exitCode: number, stopped: JobEnd['exit']['stopped'], result: string): JobEnd {
  return { type: 'ended', exit: { exitCode, endedAt: '', stopped }, result };
}

test('a command that says that the cloud is away may be begun afresh', () => {
  const failure = failureOfJob(endOf(43, null, AWAY), JOB);
  expect(failure).toMatchObject({
    code: 'REMOTE_COMMAND_FAILED',
    message: '"keadm join" failed on "edge-1": [HUB_UNREACHABLE] Cannot reach ***',
    details: { farCode: 'HUB_UNREACHABLE', mayPass: true },
  });
  expect(retryAfter(failure, 'execute')).toBe('start-over');
});

test.each([
  ['was stopped at its limit', endOf(43, 'limit', AWAY), 'REMOTE_TIMEOUT'],
  ['was asked to stop', endOf(43, 'asked', AWAY), 'INTERRUPTED'],
  ['was killed before it could say anything', endOf(137, null, ''), 'REMOTE_COMMAND_FAILED'],
  ['finds the token wrong', endOf(41, null, AWAY.replace('HUB_UNREACHABLE', 'TOKEN_INVALID')), 'REMOTE_COMMAND_FAILED'],
  [
    'could not undo what it did',
    endOf(7, null, AWAY.replace('HUB_UNREACHABLE', 'REVERT_INCOMPLETE')),
    'REMOTE_COMMAND_FAILED',
  ],
])('a command that %s is not begun again', (_what, end, code) => {
  const failure = failureOfJob(end, JOB);
  expect(failure?.code).toBe(code);
  expect(retryAfter(failure, 'execute')).toBe('none');
});

test('a command that went well has not failed', () => {
  expect(failureOfJob(endOf(0, null, '{}'), JOB)).toBeUndefined();
});

test('what another one stands in the way of may pass, and nothing else', () => {
  expect(Object.keys(ERROR_CODES).filter((code) => mayPass({ code }))).toEqual([
    'NODE_LOCKED',
    'FILE_IN_USE',
    'HUB_UNREACHABLE',
    'API_UNREACHABLE',
    'API_FAILED',
    'DOWNLOAD_FAILED',
  ]);
});

test('a file that the server says it does not have is not asked for again', () => {
  expect(mayPass({ code: 'DOWNLOAD_FAILED', details: { status: 404 } })).toBe(false);
});

test('a certificate that is not believed will not be believed a moment later', () => {
  expect(mayPass({ code: 'DOWNLOAD_FAILED', details: { certificate: true } })).toBe(false);
});

test('a code that only another version of keadm knows says nothing', () => {
  expect(mayPass({ code: 'SOMETHING_NEW' })).toBe(false);
});
