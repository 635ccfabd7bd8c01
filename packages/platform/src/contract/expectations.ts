import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, OperatorError } from '@fenestra/kernel';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;

/** A signal for waits that should end well before it fires. */
export function soon(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** Expects a catalogue error with this code and a hint, and returns it. */
export async function rejectsWith(code: ErrorCode, action: () => Promise<unknown>): Promise<OperatorError> {
  const error = await failureOf(action);
  if (!(error instanceof OperatorError))
    throw new assert.AssertionError({ message: `not a catalogue error: ${String(error)}` });
  assert.equal(error.code, code, `${error.code} instead of ${code}: ${error.message}`);
  assert.notEqual(error.hint, '', 'the error has no hint');
  return error;
}

/** Asks again and again until the answer is yes, within half a minute. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `never happened: ${what}`);
    await sleep(PAUSE_MS);
  }
}

/** Whether any process has this number now. */
export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function failureOf(action: () => Promise<unknown>): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: 'succeeded although it must fail' });
}
