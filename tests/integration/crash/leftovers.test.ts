import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changeNode, type NodeSession, recoverOnly, setJournalAside } from '@fenestra/session';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

let folder: string;
let session: NodeSession;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-leftovers-'));
  session = sessionBelow(folder, []);
  const { guardExecutable, lockFolder } = session.layout;
  for (const path of [`${guardExecutable}.partial`, join(lockFolder, 'draft-of-a-killed-command')]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'half');
  }
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function leftovers(): Promise<readonly string[]> {
  const { guardExecutable, lockFolder } = session.layout;
  const names = [...(await readdir(dirname(guardExecutable))), ...(await readdir(lockFolder))];
  return names.filter((name) => /partial|draft/.test(name));
}

test.each([
  ['is turned back', [{ kind: 'unheard-of' }], 'reverted', []],
  ['succeeds', [], 'applied', ['space-reserve']],
] as const)(
  'the space reserve of a guard is freed by a plan that turns back, and by no other: one that %s',
  async (_name, failing, outcome, left) => {
    const guardFolder = dirname(session.layout.guardExecutable);
    await writeFile(join(guardFolder, 'space-reserve'), 'room');
    const steps = [{ kind: 'create-folder', path: join(folder, 'new') }, ...failing];
    const makePlan = async () => ({ plan: [{ id: 'p', title: 'P', steps }] });
    const { change } = await changeNode(session, 'test', makePlan, new AbortController().signal);
    expect(change).toMatchObject({ outcome });
    expect(await readdir(guardFolder)).toEqual(left);
  },
);

test.each([
  ['recovery', async () => recoverOnly(session)],
  ['a command that fails', async () => setJournalAside(session, { path: '/absent', force: false })],
])('%s deletes what killed commands have left of a guard and of the lock', async (_name, run) => {
  expect(await leftovers()).toHaveLength(2);
  await run().catch(() => undefined);
  expect(await leftovers()).toEqual([]);
});
