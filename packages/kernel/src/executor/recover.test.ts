import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { OperatorError } from '../errors.ts';
import { journalFolder, type JournalFolder } from '../journal/journal-folder.ts';
import { inspectJournal } from '../journal/read-journal.ts';
import { stepDefiner } from '../plan/step-handler.ts';
import { executePlan, recover, type Recovered } from './recover.ts';
import type { ExecutionEvent } from './drive.ts';

const owner = { pid: 1, startedAt: '', bootId: '' };
let folder: string;
let journals: JournalFolder;
let undone: string[];
let events: ExecutionEvent[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recover-'));
  journals = journalFolder(folder, { syncFolder: async () => {} }, () => new Date());
  undone = [];
  events = [];
});
afterEach(async () => rm(folder, { recursive: true }));

const { handler: note } = stepDefiner<null>()({
  kind: 'note',
  data: z.object({ name: z.string() }),
  describe: ({ name }) => name,
  apply: async () => {},
  revert: async ({ name }) => void undone.push(name),
});

const common = { handlers: [note], ports: null, onEvent: (event: ExecutionEvent) => void events.push(event) };

async function run(name: string): Promise<string> {
  const journal = await journals.create(name);
  const plan = [{ id: 'p', title: 'P', steps: [{ kind: 'note', name }] }];
  await executePlan(
    { command: name, programVersion: '1', owner, plan },
    { ...common, journal },
    new AbortController().signal,
  );
  await journal.close();
  return journal.path;
}

async function cutAfter(path: string, records: number): Promise<void> {
  const { records: all } = await inspectJournal(path);
  const lost = all.slice(records).map((record) => Buffer.byteLength(JSON.stringify(record)) + 19);
  await truncate(path, (await inspectJournal(path)).validBytes - lost.reduce((sum, bytes) => sum + bytes, 0));
}

async function recoverAll(journalsToUse = journals): Promise<readonly Recovered[]> {
  return recover({ ...common, journals: journalsToUse, recoverer: { programVersion: '1', owner } });
}

test.each([1, 2, 3])(
  'an ended run whose journal lost all but %i records is set aside and not undone',
  async (records) => {
    const old = await run('join');
    await run('upgrade');
    await cutAfter(old, records);
    expect(await recoverAll()).toEqual([{ path: `${old}.set-aside`, command: 'join', outcome: 'set-aside' }]);
    expect(undone).toEqual([]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'journal-set-aside', path: `${old}.set-aside` }));
    expect(await recoverAll()).toEqual([]);
  },
);

test('the only run of a node is not undone either when its journal loses its tail', async () => {
  await cutAfter(await run('join'), 3);
  expect(await recoverAll()).toMatchObject([{ command: 'join', outcome: 'set-aside' }]);
  expect(undone).toEqual([]);
});

test('a run that was cut off is undone beside an older journal that lost its tail', async () => {
  const old = await run('join');
  await rm(`${folder}/newest-ended`);
  const upgrade = await run('upgrade');
  await rm(`${folder}/newest-ended`);
  for (const path of [old, upgrade]) await cutAfter(path, 2);
  expect(await recoverAll()).toMatchObject([
    { command: 'join', outcome: 'set-aside' },
    { command: 'upgrade', outcome: 'reverted' },
  ]);
  expect(undone).toEqual(['upgrade']);
});

test('recovery undoes a run although not one record can be written', async () => {
  const path = await run('join');
  await rm(`${folder}/newest-ended`);
  await cutAfter(path, 2);
  const full = new OperatorError('DISK_FULL', 'Cannot write', { hint: 'h' });
  const fullDisk: JournalFolder = {
    ...journals,
    reopen: async (content) => ({ ...(await journals.reopen(content)), append: async () => Promise.reject(full) }),
  };
  expect(await recoverAll(fullDisk)).toMatchObject([{ outcome: 'reverted' }]);
  expect(undone).toEqual(['join']);
});
