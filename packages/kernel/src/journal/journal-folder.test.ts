import { appendFile, mkdtemp, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeFrames, encodeFrame } from './frame.ts';
import { journalFolder, type JournalFolder } from './journal-folder.ts';
import { inspectJournal, readJournal } from './read-journal.ts';

const owner = { pid: 7, startedAt: '1', bootId: 'b' };
const plan = [{ id: 'p', title: 'P', steps: [{ kind: 'k' }] }];
const begun = { type: 'begun', command: 'keadm join', programVersion: '1.0.0', owner, plan } as const;
const ended = { type: 'ended', outcome: 'applied' } as const;

async function emptyFolder(): Promise<JournalFolder> {
  let ticks = 0;
  const disk = { syncFolder: async () => {} };
  const now = (): Date => new Date(Date.UTC(2030, 0, 1) + 1000 * (ticks += 1));
  return journalFolder(join(await mkdtemp(join(tmpdir(), 'journal-')), 'journal'), disk, now);
}

async function unfinishedIn(folder: JournalFolder): Promise<string> {
  const journal = await folder.create('keadm join');
  await journal.append(begun);
  await journal.append({ type: 'step-begun', index: 0, before: null });
  await journal.close();
  return journal.path;
}

test('a folder that does not exist holds no journals', async () => {
  const folder = await emptyFolder();
  expect(await folder.list()).toEqual([]);
  expect(await folder.unfinished()).toEqual([]);
});

test('a run is unfinished until its last record says how it ended', async () => {
  const folder = await emptyFolder();
  const path = await unfinishedIn(folder);
  const [found] = await folder.unfinished();
  if (found === undefined) throw new Error('the unfinished run was not found');
  expect(found.path).toBe(path);
  const journal = await folder.reopen(found);
  await journal.append(ended);
  await journal.close();
  expect(await folder.unfinished()).toEqual([]);
});

test('a torn last record is left out and overwritten by the next one', async () => {
  const folder = await emptyFolder();
  const path = await unfinishedIn(folder);
  await truncate(path, (await stat(path)).size - 5);
  const [found] = await folder.unfinished();
  if (found === undefined) throw new Error('the unfinished run was not found');
  expect(found).toMatchObject({ torn: true, records: [{ type: 'begun' }] });
  const journal = await folder.reopen(found);
  await journal.append(ended);
  await journal.close();
  expect((await readJournal(path)).records.map(({ type }) => type)).toEqual(['begun', 'ended']);
});

test('a journal cut off within its first record announces nothing, so nothing is unfinished', async () => {
  const folder = await emptyFolder();
  await truncate(await unfinishedIn(folder), 30);
  expect(await folder.unfinished()).toEqual([]);
});

test('a journal changed in the middle is refused, with the place and the way out', async () => {
  const folder = await emptyFolder();
  const path = await unfinishedIn(folder);
  const bytes = await readFile(path);
  bytes[40] = 0x7e;
  await writeFile(path, bytes);
  await expect(folder.unfinished()).rejects.toMatchObject({
    code: 'JOURNAL_CORRUPT',
    message: expect.stringContaining(path),
    hint: expect.stringContaining('keadm journal set-aside'),
  });
});

test.each([
  ['of a type this version does not know', '{"type":"from-the-future"}'],
  ['about a step the plan does not have', '{"type":"step-done","at":"","index":1}'],
  ['that opens a second plan', '{"type":"begun"}'],
  ['that is not JSON', 'nonsense'],
])('a sound record %s is refused too', async (_name, text) => {
  const folder = await emptyFolder();
  await appendFile(await unfinishedIn(folder), encodeFrame(text));
  await expect(folder.unfinished()).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
});

test('a journal set aside no longer takes part in recovery, and is still there to look at', async () => {
  const folder = await emptyFolder();
  const aside = await folder.setAside(await unfinishedIn(folder));
  expect(await folder.unfinished()).toEqual([]);
  expect((await readJournal(aside)).records).toHaveLength(2);
});

test('the journal is private to its owner', async () => {
  const folder = await emptyFolder();
  const path = await unfinishedIn(folder);
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect((await stat(folder.path)).mode & 0o077).toBe(0);
});

test('prune keeps the newest journals and every unfinished one', async () => {
  const folder = await emptyFolder();
  const unfinished = await unfinishedIn(folder);
  for (let run = 0; run < 25; run += 1) {
    const journal = await folder.create('keadm backup');
    await journal.append(begun);
    await journal.append(ended);
    await journal.close();
  }
  await folder.prune();
  const left = await folder.list();
  expect(left).toHaveLength(21);
  expect(left).toContain(unfinished);
});

async function endedIn(folder: JournalFolder): Promise<string> {
  const journal = await folder.create('keadm upgrade');
  for (const record of [begun, ended]) await journal.append(record);
  await journal.close();
  return journal.path;
}

async function loseTail(path: string): Promise<void> {
  const { validBytes } = decodeFrames((await readFile(path)).subarray(0, -1));
  await truncate(path, validBytes);
}

async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[40] = 0x7e;
  await writeFile(path, bytes);
}

const pathsOf = (journals: readonly { path: string }[]): readonly string[] => journals.map(({ path }) => path);

test.each([
  ['lost its tail', loseTail],
  ['was damaged', damage],
])('an old journal that %s is superseded, and neither unfinished nor in the way', async (_name, spoil) => {
  const folder = await emptyFolder();
  const old = await endedIn(folder);
  const current = await unfinishedIn(folder);
  await spoil(old);
  expect(pathsOf(await folder.unfinished())).toEqual([current]);
  expect(pathsOf(await folder.superseded())).toEqual([old]);
});

test.each([
  ['lost its tail', loseTail],
  ['was damaged', damage],
])('the newest journal that %s after its run had ended is superseded, too', async (_name, spoil) => {
  const folder = await emptyFolder();
  const newest = await endedIn(folder);
  await spoil(newest);
  expect(await folder.unfinished()).toEqual([]);
  expect(pathsOf(await folder.superseded())).toEqual([newest]);
});

test('a newer journal that was set aside still shows that older runs have ended', async () => {
  const folder = await emptyFolder();
  const old = await endedIn(folder);
  await folder.setAside(await unfinishedIn(folder));
  await loseTail(old);
  expect(await folder.unfinished()).toEqual([]);
});

test('a journal made after the clock was set back is the newest all the same', async () => {
  const times = [Date.UTC(2030, 0, 1), Date.UTC(1970, 0, 1), Date.UTC(1970, 0, 2)];
  const path = join(await mkdtemp(join(tmpdir(), 'journal-')), 'journal');
  const folder = journalFolder(path, { syncFolder: async () => {} }, () => new Date(times[0] ?? 0));
  await endedIn(folder);
  times.shift();
  const current = await unfinishedIn(folder);
  times.shift();
  expect(await folder.superseded()).toEqual([]);
  expect(pathsOf(await folder.unfinished())).toEqual([current]);
});

test('the mark that the newest run has ended is believed only with its checksum', async () => {
  const folder = await emptyFolder();
  const newest = basename(await unfinishedIn(folder));
  const mark = join(folder.path, 'newest-ended');
  const frame = encodeFrame(newest);
  await writeFile(mark, frame);
  expect(await folder.unfinished()).toEqual([]);
  const changed = Buffer.from(
    frame.toString('latin1').replace(/^.{18}./, (start) => `${start.slice(0, -1)}1`),
    'latin1',
  );
  for (const damaged of [newest, changed, frame.subarray(0, -1), Buffer.concat([frame, frame]), Buffer.alloc(0)]) {
    await writeFile(mark, damaged);
    expect((await folder.unfinished()).map(({ path }) => basename(path))).toEqual([newest]);
  }
});

test.each(['30300101T000001.000Z-keadm-upgrade.journal', 'r0300101T000001.000Z-keadm-upgrade.journal'])(
  'a damaged mark "%s" hides no unfinished run, and no later one is named after it',
  async (mark) => {
    const folder = await emptyFolder();
    await endedIn(folder);
    await writeFile(join(folder.path, 'newest-ended'), mark);
    const current = await unfinishedIn(folder);
    expect(basename(current)).toMatch(/^20300101T/);
    expect(pathsOf(await folder.unfinished())).toEqual([current]);
  },
);

test.each([['old.journal'], ['~backup.journal'], ['99991231-join.journal']])(
  'a file "%s" that is not a journal hides no unfinished run',
  async (name) => {
    const folder = await emptyFolder();
    const current = await unfinishedIn(folder);
    await writeFile(join(folder.path, name), '');
    expect(pathsOf(await folder.unfinished())).toEqual([current]);
    expect(await folder.list()).toEqual([current]);
  },
);

test('a copy of a journal under a later name is refused, and no run', async () => {
  const folder = await emptyFolder();
  const old = await endedIn(folder);
  const copy = join(folder.path, '20990101T000000.000Z-keadm-upgrade.journal');
  await writeFile(copy, await readFile(old));
  await loseTail(copy);
  await expect(folder.unfinished()).rejects.toMatchObject({
    code: 'JOURNAL_CORRUPT',
    message: expect.stringContaining(`it is a copy of "${basename(old)}"`),
  });
  expect(await inspectJournal(copy)).toMatchObject({ damage: expect.stringContaining('copy') });
  await folder.setAside(copy);
  expect(await folder.unfinished()).toEqual([]);
  expect(await inspectJournal(await folder.setAside(old))).toMatchObject({ damage: undefined });
});
