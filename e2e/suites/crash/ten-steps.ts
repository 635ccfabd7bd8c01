/**
 * The process that the harness kills: `ten-steps.ts run|recover FOLDER PLAN`.
 * It runs a plan of ten steps on real files with the real kernel, steps and file store.
 */
import { join } from 'node:path';
import type { Plan, Step } from '@fenestra/kernel';
import { changeNode, recoverOnly } from '@fenestra/session';
import { digestOf } from '@fenestra/platform';
import { sessionBelow } from '../../support/crash/session-below.ts';

const [verb, folder = '', planName = ''] = process.argv.slice(2);
const at = (path: string): string => join(folder, path);

const session = sessionBelow(folder, []);

async function nineSteps(): Promise<readonly Step[]> {
  const sha256 = await digestOf(at('bin/other'));
  return [
    { kind: 'create-folder', path: at('new/folder') },
    { kind: 'write-file', path: at('new/folder/file'), content: 'new' },
    { kind: 'write-file', path: at('etc/config'), content: 'changed once' },
    { kind: 'place-executable', from: at('bin/other'), to: at('bin/agent'), sha256 },
    { kind: 'place-executable', from: at('bin/other'), to: at('bin/added'), sha256 },
    { kind: 'create-folder', path: at('etc') },
    { kind: 'write-file', path: at('etc/config'), content: 'changed twice' },
    { kind: 'create-folder', path: at('new/second') },
    { kind: 'write-file', path: at('new/second/a'), content: 'a' },
  ];
}

/** Ten steps each: one that can turn back to the end, one that cannot from the start, one whose last step fails. */
async function makePlan(): Promise<Plan> {
  const nine = await nineSteps();
  const forget: Step = { kind: 'remove-path', path: at('etc/obsolete'), root: at('etc'), pointOfNoReturn: true };
  const extra: Step = { kind: 'write-file', path: at('new/second/b'), content: 'b' };
  const impossible: Step = { kind: 'write-file', path: at('bin/other/below-a-file'), content: '' };
  switch (planName) {
    case 'turns-back':
      return phase([...nine, extra]);
    case 'goes-forward':
      return phase([forget, ...nine]);
    case 'fails-last':
      return phase([...nine, impossible]);
    default:
      throw new Error(`There is no plan "${planName}"`);
  }
}

function phase(steps: readonly Step[]): Plan {
  return [{ id: 'ten-steps', title: 'Ten steps', steps }];
}

const never = new AbortController().signal;
if (verb === 'run') await changeNode(session, 'ten steps', async () => ({ plan: await makePlan() }), never);
else await recoverOnly(session);
