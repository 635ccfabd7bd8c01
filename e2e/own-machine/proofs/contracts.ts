import assert from 'node:assert/strict';
import { readOutcome } from '../../support/services/contract-outcome.ts';
import type { Proof } from '../proof.ts';
import { runHere } from '../run-here.ts';
import { say } from '../say.ts';

/** Where everybody may read, other than in a user's folder for temporary files. */
const FOLDER = 'C:\\fenestra-contract';

/** The adapters for Windows keep what their ports promise. */
export const contracts: Proof = {
  name: 'contracts',
  async prove({ runner, addon }) {
    const args = [runner, 'contract', 'scm', FOLDER, addon];
    const { cases, broken } = readOutcome(await runHere(process.execPath, args));
    for (const { suite, name, result, reason, error } of cases) {
      say(`  ${result}  ${suite}: ${name} ${reason ?? error ?? ''}`);
    }
    assert.equal(broken, undefined);
    assert.deepEqual(
      cases.filter(({ result }) => result === 'failed').map(({ suite, name }) => `${suite}: ${name}`),
      [],
    );
  },
};
