import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handlerOf, OperatorError, type StepContext } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import { posixFileStore } from '@fenestra/platform-linux';
import { digestOfText, STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

const { signal } = new AbortController();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
});
afterEach(async () => rm(folder, { recursive: true }));

function at(...names: readonly string[]): string {
  return join(folder, ...names);
}

function contextWith(files: FileStore = posixFileStore()): StepContext<StepPorts> {
  return { ports: { ...sessionBelow(folder, []).ports, files }, progress: () => {}, say: () => {} };
}

test.each([
  ['with room', 'AGENT_UNHEALTHY', () => folder],
  // A file system that has no room because it has no disk.
  ['without room', 'DISK_FULL', () => '/proc'],
])('prove-healthy, of an agent that does not work on a disk %s: %s', async (_what, code, stateFolder) => {
  const step = {
    kind: 'prove-healthy',
    service: 'absent',
    stateFolder: stateFolder(),
    logFile: join(folder, 'log'),
    agent: 'fenestra',
    wants: 'connected',
    limitSeconds: 0,
    settleSeconds: 0,
  };
  const proof = handlerOf(STEP_HANDLERS, step).apply(step, null, contextWith(), signal);
  await expect(proof).rejects.toMatchObject({ code });
});

/** A disk with room for one program only: a copy fails as long as the program that was put in place is there. */
function roomForOne(files: FileStore, program: string): FileStore {
  const copy: FileStore['copy'] = async (...args) => {
    const isThere = (await readdir(join(folder, 'bin'))).includes(program);
    if (isThere) throw new OperatorError('DISK_FULL', 'Cannot copy', { hint: 'h' });
    return files.copy(...args);
  };
  return { ...files, copy };
}

test('swap-executable comes back on a full disk: the program that failed makes room', async () => {
  await mkdir(at('bin'));
  await writeFile(at('bin', 'agent'), 'new program');
  await writeFile(at('backup'), 'old program');
  const step = {
    kind: 'swap-executable',
    staged: at('bin', 'staged-agent'),
    to: at('bin', 'agent'),
    backup: at('backup'),
    backupSha256: digestOfText('old program'),
  };
  const context = contextWith(roomForOne(posixFileStore(), 'agent'));
  await handlerOf(STEP_HANDLERS, step).revert(step, null, context, signal);
  expect(await readFile(at('bin', 'agent'), 'utf8')).toBe('old program');
  expect(await readdir(at('bin'))).toEqual(['agent']);
});
