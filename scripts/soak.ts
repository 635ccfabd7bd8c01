import { parseArgs } from 'node:util';
import { reportFlags } from './reports.ts';
import { BUILD, inLanes, runStep, type RunStep } from './run-step.ts';

/** `npm run soak [-- --hours H]`: rounds of upgrade, reload, disconnection and rollback, by default for ten minutes. */
const { values } = parseArgs({ options: { hours: { type: 'string', default: `${1 / 6}` } } });
const hours = Number(values.hours);
if (!(hours > 0)) {
  console.error(`Error: Cannot soak for "${values.hours}" hours. Give a number, such as "--hours 72".`);
  process.exit(2);
}

process.env['FENESTRA_SOAK_SECONDS'] = `${Math.round(hours * 3600)}`;
const flags = ['--fileParallelism', '--maxWorkers=2', ...reportFlags('e2e-soak', 'verbose')];
const soak: RunStep = {
  name: `soak for ${hours} hours`,
  command: 'vitest',
  contain: true,
  args: ['run', '--config', 'e2e/vitest.config.ts', 'e2e/soak/', ...flags],
};
const results = await inLanes(1, [BUILD, soak], runStep);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
