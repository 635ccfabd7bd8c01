import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { bundleRunner } from '../../support/beds/contract-bundle.ts';
import { timed } from '../../support/beds/progress.ts';
import type { CaseReport } from '../../support/contract-runner/report.ts';
import { type ContractOutcome, readOutcome } from '../../support/services/contract-outcome.ts';
import { CONTRACT_RUNS, type ContractRun } from './contract-runs.ts';

const { signal } = new AbortController();
const folder = await mkdtemp(join(tmpdir(), 'fenestra-contract-'));
const runner = await bundleRunner(folder);

afterAll(async () => rm(folder, { recursive: true, force: true }));

// The cases are known only once a node has run them, so they run while the tests are being collected.
for (const run of CONTRACT_RUNS) {
  describe(run.title, async () => {
    const { cases, broken } = await outcomeOf(run);
    test('the contract runner runs until it ends', () => expect(broken).toBeUndefined());
    for (const report of cases)
      test(`${report.suite}: ${report.name} (${report.ms} ms)`, (context) => show(report, context.skip));
  });
}

async function outcomeOf(run: ContractRun): Promise<ContractOutcome> {
  try {
    return readOutcome(await timed(`contract: ${run.title}`, async () => run.run(folder, runner, signal)));
  } catch (error) {
    // A bed that cannot be had is a failure of this run, and no reason to leave out the others.
    return { cases: [], broken: inspect(error) };
  }
}

function show({ result, reason, error }: CaseReport, skip: (reason?: string) => never): void {
  if (result === 'skipped') skip(reason);
  if (result === 'failed') throw new Error(error);
}
