import { parseArgs } from 'node:util';
import { BUILD, inLanes, runStep } from './run-step.ts';
import { suiteNamed, suiteStep } from './suites.ts';

/** `npm run soak [-- --hours H]`: rounds of upgrade, reload, disconnection and rollback, by default for ten minutes. */
const { values } = parseArgs({ options: { hours: { type: 'string', default: `${1 / 6}` } } });
const hours = Number(values.hours);
if (!(hours > 0)) {
  console.error(`Error: Cannot soak for "${values.hours}" hours. Give a number, such as "--hours 72".`);
  process.exit(2);
}

process.env['FENESTRA_SOAK_SECONDS'] = `${Math.round(hours * 3600)}`;
const soak = { ...suiteStep(suiteNamed('soak'), false), name: `soak for ${hours} hours` };
const results = await inLanes(1, [BUILD, soak], runStep);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
