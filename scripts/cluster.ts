import { reportFlags } from './reports.ts';
import { BUILD, resultsText, runStep, type RunStep } from './run-step.ts';

/** `npm run test:cluster`: cloud and node with a real Kubernetes, which is built first where it is missing. */
const STEPS: readonly RunStep[] = [
  BUILD,
  {
    name: 'e2e cluster',
    command: 'vitest',
    args: ['run', '--config', 'e2e/vitest.config.ts', 'e2e/cluster/', ...reportFlags('e2e-cluster', 'verbose')],
  },
];

const results = STEPS.map(runStep);
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
