import { reportFlags } from './reports.ts';
import { resultsText, runStep, type RunStep } from './run-step.ts';

/** `npm run check`: everything about the code that needs no other system, in under a minute. */
const STEPS: readonly RunStep[] = [
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware'] },
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'dead code', command: 'knip', args: [] },
  { name: 'layers and unit tests', command: 'vitest', args: ['run', ...reportFlags('unit', 'default')] },
];

const results = STEPS.map(runStep);
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
