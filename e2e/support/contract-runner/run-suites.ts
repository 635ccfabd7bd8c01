import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { ContractCase } from '@fenestra/platform/contract';
import type { CaseReport, RunReport } from './report.ts';
import type { Suite } from './suite.ts';

const CASE_MS = 120_000;

/** Runs every case, one after the other, and prints one JSON line for each and one at the end. */
export async function runSuites(suites: readonly Suite[]): Promise<void> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of suites) {
    for (const contractCase of suite.cases) {
      const report = await runCase(suite.name, contractCase);
      counts[report.result] += 1;
      print(report);
    }
  }
  print({ done: true, counts });
}

async function runCase(suite: string, contractCase: ContractCase): Promise<CaseReport> {
  const { name, skip } = contractCase;
  if (skip !== undefined) return { suite, name, result: 'skipped', reason: skip, ms: 0 };
  const begin = performance.now();
  const taken = (): number => Math.round(performance.now() - begin);
  try {
    await Promise.race([contractCase.run(), tooLate()]);
    return { suite, name, result: 'passed', ms: taken() };
  } catch (error) {
    return { suite, name, result: 'failed', error: inspect(error), ms: taken() };
  }
}

async function tooLate(): Promise<never> {
  await delay(CASE_MS, undefined, { ref: false });
  throw new Error(`not finished within ${CASE_MS / 1000} s`);
}

// Straight to the descriptor: the line must be out even if the next case takes the whole process down.
function print(report: CaseReport | RunReport): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}
