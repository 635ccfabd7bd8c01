import { join } from 'node:path';
import type { Plan } from '@fenestra/kernel';
import { changeNode, recoverOnly } from '@fenestra/session';
import { sessionBelow } from '../../../e2e/support/crash/session-below.ts';

/** Changes a node below a folder, or recovers it. The process ends itself at the record that the environment names. */
const [folder = '', act = ''] = process.argv.slice(2);
const session = sessionBelow(folder, []);
const steps = ['one', 'two', 'three'].map((name) => ({
  kind: 'write-file' as const,
  path: join(folder, name),
  content: 'new',
}));
const plan: Plan = [{ id: 'p', title: 'P', steps }];

const result =
  act === 'change'
    ? (await changeNode(session, 'keadm upgrade', async () => ({ plan }), new AbortController().signal)).change
    : await recoverOnly(session);
process.stdout.write(`${JSON.stringify(result)}\n`);
