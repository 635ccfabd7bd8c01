import { BUILD, inLanes, resultsText, runStep } from './run-step.ts';
import { SUITES, suiteStep } from './suites.ts';

/** `npm run test:cluster`: cloud, nodes and workers with a real Kubernetes, which is built first where it is missing. */
const suites = SUITES.filter(({ onRequest }) => onRequest === 'npm run test:cluster');
const steps = [BUILD, ...suites.map((suite) => suiteStep(suite, false))];
const results = await inLanes(1, steps, runStep);
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
