import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectJournal, type Plan, type Step } from '@fenestra/kernel';
import { resetNode } from '@fenestra/lifecycle';
import { changeNode, type NodeSession, recoverOnly, setJournalAside } from '@fenestra/session';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

const { signal } = new AbortController();
const wishes = {
  kubeconfig: undefined,
  drain: false,
  drainLimitSeconds: 1,
  podGraceSeconds: 1,
  keepBackups: false,
  runtimeEndpoint: undefined,
};

let folder: string;
let session: NodeSession;
let journal: string;

/** An upgrade that turned back after someone had deleted the backup that its rollback needs. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-stuck-'));
  session = sessionBelow(folder, []);
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/agent'), 'old');
  await writeFile(join(folder, 'bin/staged-agent'), 'new');
  await expect(changeNode(session, 'keadm upgrade', async () => ({ plan: plan() }), signal)).rejects.toMatchObject({
    code: 'REVERT_INCOMPLETE',
  });
  journal = join(session.layout.journalFolder, (await journals())[0] ?? '');
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

function plan(): Plan {
  const to = join(folder, 'bin/agent');
  const backup = join(folder, 'etc/backups/v1/edgecore');
  const swap: Step = {
    kind: 'swap-executable',
    staged: join(folder, 'bin/staged-agent'),
    to,
    backup,
    backupSha256: '0',
  };
  const impossible: Step = { kind: 'write-file', path: join(to, 'below-a-file'), content: '' };
  return [{ id: 'upgrade', title: 'Upgrade', steps: [swap, impossible] }];
}

async function journals(): Promise<readonly string[]> {
  return (await readdir(session.layout.journalFolder)).filter((name) => name.includes('.journal'));
}

test('a run that cannot be undone holds recovery up, which names the way out', async () => {
  await expect(recoverOnly(session)).rejects.toMatchObject({
    code: 'REVERT_INCOMPLETE',
    hint: expect.stringContaining(`keadm journal set-aside --force ${journal}`),
  });
});

test('a sound journal is set aside by force alone, and then holds nothing up', async () => {
  await expect(setJournalAside(session, { path: journal, force: false })).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringContaining('"--force"'),
  });
  const to = `${journal}.set-aside`;
  expect(await setJournalAside(session, { path: journal, force: true })).toEqual({ to, abandoned: 'keadm upgrade' });
  expect((await inspectJournal(to)).damage).toBeUndefined();
  expect(await recoverOnly(session)).toEqual([]);
});

test('a journal whose work has ended is not set aside, not even by force', async () => {
  await setJournalAside(session, { path: journal, force: true });
  await changeNode(
    session,
    'test',
    async () => ({
      plan: [{ id: 'p', title: 'P', steps: [{ kind: 'create-folder', path: join(folder, 'new') }] }],
    }),
    signal,
  );
  const ended = join(session.layout.journalFolder, (await journals()).find((name) => name.endsWith('.journal')) ?? '');
  await expect(setJournalAside(session, { path: ended, force: true })).rejects.toMatchObject({ code: 'USAGE' });
  await expect(setJournalAside(session, { path: '/elsewhere', force: true })).rejects.toMatchObject({ code: 'USAGE' });
});

test('a reset by force gives the stuck run up by itself, and says so; one without does not', async () => {
  await expect(resetNode(session, { ...wishes, force: false }, signal)).rejects.toMatchObject({
    code: 'REVERT_INCOMPLETE',
  });
  const reset = await resetNode(session, { ...wishes, force: true }, signal);
  expect(reset).toMatchObject({
    outcome: 'applied',
    recovered: [],
    abandoned: [
      { command: 'keadm upgrade', journal: `${journal}.set-aside`, why: expect.stringContaining('Cannot undo step 1') },
    ],
  });
  expect(await recoverOnly(session)).toEqual([]);
});
