import { existsSync } from 'node:fs';
import { requirePackages } from '../build/packaging/require-packages.ts';
import { reportFlags } from './reports.ts';
import { inLanes, resultsText, runAside, type RunStep } from './run-step.ts';

/** `npm run check`: everything about the code that needs no other system, in under a minute; the longest begins first. */
const STEPS: readonly RunStep[] = [
  { name: 'layers and unit tests', command: 'vitest', args: ['run', ...reportFlags('unit', 'default')] },
  { name: 'types', command: 'nice', args: ['tsc', '-p', '.'] },
  { name: 'lint', command: 'nice', args: ['oxlint', '--type-aware'] },
  { name: 'format', command: 'nice', args: ['oxfmt', '--check', '.'] },
  { name: 'dead code', command: 'nice', args: ['knip'] },
];
/** The unit tests often wait; the other steps use that time one after the other, and are in no one's way. */
const LANES = 2;

/** What the scripts for nodes are tried with, by the packages that have it. */
const NODE_PROGRAMS = Object.entries({
  bash: 'bash',
  'busybox-static': 'busybox',
  curl: 'curl',
  openssl: 'openssl',
  wget: 'wget',
});

const missing = NODE_PROGRAMS.filter(([, program]) => !existsSync(`/usr/bin/${program}`));
await requirePackages(missing.map(([name]) => name));
const results = await inLanes(LANES, STEPS, runAside);
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
