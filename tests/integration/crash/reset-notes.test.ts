import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalFolder, type Step } from '@fenestra/kernel';
import { resetNode } from '@fenestra/lifecycle';
import { expect, test } from 'vitest';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

test('pods that could not be removed are named when the reset has ended, not only while it runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-notes-'));
  const session = sessionBelow(folder, []);
  const endpoint = `unix://${join(folder, 'no-runtime.sock')}`;
  const removePods: Step = { kind: 'remove-pods', endpoint, limitSeconds: 5, pointOfNoReturn: true };
  // A reset that was cut off here can only be finished.
  const owner = await session.host.self();
  const journal = await journalFolder(session.layout.journalFolder, session.ports.files, session.now).create('reset');
  const plan = [{ id: 'remove-pods', title: 'Remove the pods', steps: [removePods] }];
  await journal.append({ type: 'begun', command: 'keadm reset', programVersion: 'test', owner, plan });
  await journal.append({ type: 'step-begun', index: 0, before: null });
  await journal.close();
  const wishes = {
    force: false,
    kubeconfig: undefined,
    drain: false,
    drainLimitSeconds: 1,
    podGraceSeconds: 1,
    keepBackups: false,
    runtimeEndpoint: undefined,
  };
  const { recovered, notes } = await resetNode(session, wishes, new AbortController().signal);
  await rm(folder, { recursive: true, force: true });
  expect(recovered).toMatchObject([{ command: 'keadm reset', outcome: 'applied' }]);
  expect(notes[0]).toContain(endpoint);
});
