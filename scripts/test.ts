import { clearReports, closingText } from './reports.ts';
import { inLanes, resultsText, runStep, type RunStep } from './run-step.ts';

/** `npm test`: everything CI runs. Every step runs whatever became of the ones before, so that one run tells all. */
const STEPS: readonly RunStep[] = [
  { name: 'check', command: 'node', args: ['scripts/check.ts'] },
  { name: 'build', command: 'node', args: ['build/build.ts'] },
  { name: 'demo', command: 'node', args: ['scripts/demo/demo.ts', '--check'] },
  { name: 'e2e', command: 'node', args: ['scripts/e2e.ts'] },
  { name: 'bench', command: 'node', args: ['bench/run.ts', 'startup'] },
];

clearReports();
const results = await inLanes(1, STEPS, runStep);
const allOk = results.every(({ ok }) => ok);
console.log(`\n${resultsText(results)}\n\n${closingText()}`);
process.exitCode = allOk ? 0 : 1;
