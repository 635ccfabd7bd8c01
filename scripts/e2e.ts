import { globSync } from 'node:fs';
import { reportFlags } from './reports.ts';
import { BUILD, inLanes, resultsText, runAside, runStep, type RunStep, type StepResult } from './run-step.ts';
import { temporaryFolders } from './temporary-folders.ts';

/** `npm run e2e -- NAME…`: whole-system suites on real parts; unless some are named, all but those with their own command. */
const ON_REQUEST = ['cluster', 'worker-cluster', 'soak'];
/**
 * With all the others these run in a short form, because a landing has to pass within twenty minutes: a few records of
 * each command instead of all, the quick half of the bad upgrades, no disk filled in the middle of each phase, a node's
 * life on two of the three machines, a fleet of a few nodes, installers that are made but not run, a second build of
 * one executable instead of three, some minutes of random requests. By name they run
 * whole, for hours if need be.
 */
const SHORT_WITH_OTHERS = [
  'crash',
  'kill-points',
  'bad-upgrades',
  'faults',
  'lifecycle',
  'batch',
  'worker',
  'installers',
  'build',
  'security',
];
/** Suites spend most of their time waiting for the machines they have started, so two of them share this one well; with three, clocks run out. */
const LANES = 2;
const LONGEST_FIRST = ['kill-points', 'batch', 'crash', 'lifecycle', 'services', 'faults', 'worker', 'cloud', 'build'];
/** Each file of these has machines of its own and spends its time waiting for them. */
const SIDE_BY_SIDE = [
  'kill-points',
  'crash',
  'services',
  'bad-upgrades',
  'lifecycle',
  'faults',
  'batch',
  'worker',
  'installers',
];
/** But whole, the machines of these would need more memory together than most computers have. */
const ALONE_WHEN_WHOLE = ['batch'];

const suites = [...new Set(globSync('e2e/*/*.e2e.test.ts').map((file) => file.split('/')[1] ?? ''))].toSorted();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  console.error(`Error: Unknown suite "${unknown.join('", "')}". There are ${suites.join(', ')}.`);
  process.exit(2);
}

const chosen = suites.filter((name) => (wanted.length === 0 ? !ON_REQUEST.includes(name) : wanted.includes(name)));
const folders = temporaryFolders();
// Longest first, so that no lane has to wait for one that began last.
const ordered = chosen.toSorted((one, other) => rankOf(one) - rankOf(other));
const results = [await runStep(BUILD), ...(await inLanes(LANES, ordered, runSuite))];
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

function rankOf(name: string): number {
  const rank = LONGEST_FIRST.indexOf(name);
  return rank === -1 ? LONGEST_FIRST.length : rank;
}

async function runSuite(name: string): Promise<StepResult> {
  const folder = folders.open();
  const step = stepOf(name, folder);
  const result = await (chosen.length === 1 ? runStep(step) : runAside(step));
  const left = folders.close(folder);
  for (const entry of left) console.error(`FAILED  e2e ${name} left "${entry}" in its temporary folder`);
  return { ...result, ok: result.ok && left.length === 0 };
}

function stepOf(name: string, folder: string): RunStep {
  const isShort = wanted.length === 0 && SHORT_WITH_OTHERS.includes(name);
  return {
    name: `e2e ${name}${isShort ? ', short form' : ''}`,
    command: 'vitest',
    args: e2eArgs(name, isShort),
    env: { FENESTRA_E2E_SHORT: isShort ? 'yes' : 'no', TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
    contain: true,
  };
}

/** Verbose, because that is how the reason of a skipped case is shown. */
function e2eArgs(name: string, isShort: boolean): readonly string[] {
  const isTogether = SIDE_BY_SIDE.includes(name) && (isShort || !ALONE_WHEN_WHOLE.includes(name));
  const sideBySide = isTogether ? ['--fileParallelism', '--maxWorkers=2'] : [];
  const flags = [...sideBySide, ...reportFlags(`e2e-${name}`, 'verbose')];
  return ['run', '--config', 'e2e/vitest.config.ts', '--dir', `e2e/${name}`, ...flags];
}
