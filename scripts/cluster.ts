import { reportFlags } from './reports.ts';
import { BUILD, inLanes, resultsText, runStep, type RunStep } from './run-step.ts';

/** `npm run test:cluster`: cloud, nodes and workers with a real Kubernetes, which is built first where it is missing. */
const STEPS: readonly RunStep[] = [BUILD, suiteOf('cluster'), suiteOf('worker-cluster')];

function suiteOf(name: string): RunStep {
  return {
    name: `e2e ${name}`,
    command: 'vitest',
    contain: true,
    args: ['run', '--config', 'e2e/vitest.config.ts', '--dir', `e2e/${name}`, ...reportFlags(`e2e-${name}`, 'verbose')],
  };
}

const results = await inLanes(1, STEPS, runStep);
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
