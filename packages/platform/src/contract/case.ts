import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, OperatorError } from '@fenestra/kernel';

/** One promise of a port, checked on a real system. It throws when the adapter breaks the promise. */
export interface ContractCase {
  readonly name: string;
  /** Why the system at hand cannot show this, if it cannot. Such a case is reported as skipped, never as passed. */
  readonly skip?: string;
  run(): Promise<void>;
}

/** Builds a case, skipped if there is a reason to. */
export function contractCase(name: string, run: () => Promise<void>, skip?: string): ContractCase {
  return skip === undefined ? { name, run } : { name, skip, run };
}

/** What a bed must bring for a case. Without it the case fails: a promise that was not checked has not been kept. */
export function needed<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`the bed has no "${name}" and does not say that it cannot show this`);
  return part;
}

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

/** A fresh folder for one case. */
export async function scratchFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, 'case-'));
}
