import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT, RUNTIME } from '../../support/beds/checkout.ts';
import { mustRun } from '../../support/beds/command.ts';
import { timed } from '../../support/beds/progress.ts';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { startWindowsNode, type WindowsNode } from '../../support/beds/wine-bed.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { describeUnlessShort } from './unless-short.ts';

const PACK = join(CHECKOUT, 'e2e', 'own-machine', 'pack-proof.ts');
/** The contracts have their own suite, and Wine does not start a service again that has failed. */
const PROOFS = ['life', 'installers'];
const MAKING_MS = 10 * 60_000;
const PROOF_MS = 4 * 60_000;

describeUnlessShort('what is to be shown on real Windows', () => {
  let folder: string;
  let node: WindowsNode;

  beforeAll(async () => {
    folder = await mkdtemp(join(CHECKOUT, 'dist', 'test-proof-'));
    const pack = [process.execPath, PACK, folder];
    await timed('making the kit for Windows', async () => mustRun(pack, { timeoutMs: MAKING_MS }, unlimited()));
    node = await startWindowsNode({}, unlimited());
  });
  afterAll(async () => {
    await node.stop();
    await rm(folder, { recursive: true });
  });

  test.each(PROOFS)('%s holds on Wine, too', async (proof) => {
    const args = [toWindowsPath(join(folder, 'proof.cjs')), toWindowsPath(folder), proof];
    const options = { elevated: true, timeoutMs: PROOF_MS };
    const { stdout, stderr } = await node.run(toWindowsPath(RUNTIME.nodeWindows), args, options);
    expect(stdout + stderr).toContain(`${proof}: holds`);
  });
});
