import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN_VERSION } from '../../support/releases/versions.ts';
import { awaitNode, cloudHere, requireNoNode } from '../node-here.ts';
import type { Proof } from '../proof.ts';
import { keadmHere } from '../run-here.ts';

const PATIENCE_MS = 60_000;
const JOIN = ['join', '--cloudcore-ip', '127.0.0.1', '--skip-check', 'container-runtime'];

/** A node's life: joined, configured, upgraded, rolled back, backed up, taken off. */
export const life: Proof = {
  name: 'life',
  async prove({ keadm, laterKeadm, laterVersion }) {
    const env = { KEADM_TOKEN: await cloudHere(keadm) };
    const outcome = async (args: readonly string[], program = keadm): Promise<string | undefined> =>
      (await keadmHere(program, args, env)).outcome;
    assert.equal(await outcome(JOIN), 'applied');
    await awaitNode(keadm, OWN_VERSION, PATIENCE_MS);
    assert.equal(await outcome(JOIN), 'unchanged');
    assert.equal(await outcome(['config', 'set', 'modules.edgeHub.heartbeat=20']), 'applied');
    assert.equal(await outcome(['upgrade', '--version', laterVersion], laterKeadm), 'applied');
    await awaitNode(keadm, laterVersion, PATIENCE_MS);
    assert.equal(await outcome(['rollback']), 'applied');
    await awaitNode(keadm, OWN_VERSION, PATIENCE_MS);
    await proveBackup(keadm);
    assert.equal(await outcome(['reset', '--force']), 'applied');
    assert.equal(await outcome(['reset', '--force']), 'unchanged');
    await requireNoNode();
  },
};

async function proveBackup(keadm: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-backup-'));
  await keadmHere(keadm, ['backup', '--dir', folder]);
  assert.equal((await readdir(folder)).length, 1);
  await rm(folder, { recursive: true });
}
