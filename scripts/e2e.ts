import { BUILD, inLanes, resultsText, runAside, runStep, type StepResult } from './run-step.ts';
import { SUITES, suiteNamed, suiteStep } from './suites.ts';
import { temporaryFolders } from './temporary-folders.ts';

/**
 * `npm run e2e -- NAME…`: whole-system suites on real parts; without names all but those with their own command.
 * All together they run in their short forms, because a landing has to pass within twenty minutes. By name they run
 * whole, for hours if need be.
 *
 * Suites spend most of their time waiting for the machines they have started, so two of them share a computer well; with
 * three, time limits are exceeded.
 */
const LANES = 2;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
if (unknown.length > 0) {
  const known = SUITES.map(({ name }) => name).join(', ');
  console.error(`Error: Unknown suite "${unknown.join('", "')}". There are ${known}.`);
  process.exit(2);
}

const chosen = names.length === 0 ? SUITES.filter(({ onRequest }) => onRequest === undefined) : names.map(suiteNamed);
const folders = temporaryFolders();
// Longest first, so that no lane has to wait for one that began last.
const ordered = chosen.toSorted((one, other) => other.seconds - one.seconds).map(({ name }) => name);
const results = [await runStep(BUILD), ...(await inLanes(LANES, ordered, runSuite))];
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

async function runSuite(name: string): Promise<StepResult> {
  const suite = suiteNamed(name);
  const folder = folders.open();
  const step = suiteStep(suite, names.length === 0 && suite.short !== undefined);
  const inFolder = { ...step, env: { ...step.env, TMPDIR: folder } };
  const result = await (chosen.length === 1 ? runStep(inFolder) : runAside(inFolder));
  const left = folders.close(folder);
  for (const entry of left) console.error(`FAILED  e2e ${name} left "${entry}" in its temporary folder`);
  return { ...result, ok: result.ok && left.length === 0 };
}
