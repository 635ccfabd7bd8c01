import assert from 'node:assert/strict';
import { OWN_VERSION } from '../../support/releases/versions.ts';
import { awaitNode, cloudHere, requireNoNode, serviceHere } from '../node-here.ts';
import type { Proof } from '../proof.ts';
import { keadmHere, runHere } from '../run-here.ts';

/** Windows waits for a minute before it starts a service again that has failed for the first time. */
const RESTART_MS = 3 * 60_000;

/** The service manager starts an agent again that was killed. Wine never does, so that only Windows can show it. */
export const recovery: Proof = {
  name: 'recovery',
  async prove({ keadm }) {
    const env = { KEADM_TOKEN: await cloudHere(keadm) };
    await keadmHere(keadm, ['join', '--cloudcore-ip', '127.0.0.1', '--skip-check', 'container-runtime'], env);
    const { pid: killed } = await serviceHere(keadm);
    if (killed === undefined) throw new Error('The agent does not run');
    await mustKill(killed);
    await awaitNode(keadm, OWN_VERSION, RESTART_MS, (pid) => pid !== killed);
    await keadmHere(keadm, ['reset', '--force']);
    await requireNoNode();
  },
};

/** By a program that has the right to: even administrators may not end a process of the system just like that. */
async function mustKill(pid: number): Promise<void> {
  const { exitCode, stderr } = await runHere('taskkill', ['/F', '/PID', `${pid}`]);
  assert.equal(exitCode, 0, stderr);
}
