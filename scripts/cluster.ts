import { reportFlags } from './reports.ts';
import { resultsText, runStep, type RunStep } from './run-step.ts';

/** `npm run test:cluster`: cloud and node with a real Kubernetes, which is built first where it is missing. */
const STEPS: readonly RunStep[] = [
  { name: 'build', command: 'node', args: ['build/build.ts', 'linux-x64', 'windows-x64'] },
  {
    name: 'e2e cluster',
    command: 'vitest',
    args: ['run', '--config', 'e2e/vitest.config.ts', 'e2e/cluster/', ...reportFlags('e2e-cluster', 'verbose')],
  },
];

const results = STEPS.map(runStep);
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
