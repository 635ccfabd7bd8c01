import { globSync } from 'node:fs';
import { reportFlags } from './reports.ts';
import { resultsText, runStep } from './run-step.ts';

/** `npm run e2e -- NAME…`: whole-system suites on real parts; unless some are named, all but those with their own command. */
const ON_REQUEST = ['cluster'];
const suites = [...new Set(globSync('e2e/*/*.e2e.test.ts').map((file) => file.split('/')[1] ?? ''))].toSorted();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  console.error(`Error: Unknown suite "${unknown.join('", "')}". There are ${suites.join(', ')}.`);
  process.exit(2);
}

const results = suites
  .filter((name) => (wanted.length === 0 ? !ON_REQUEST.includes(name) : wanted.includes(name)))
  .map((name) => runStep({ name: `e2e ${name}`, command: 'vitest', args: e2eArgs(name) }));
console.log(`\n${resultsText(results)}`);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

/** Verbose, because that is how the reason of a skipped case is shown. */
function e2eArgs(name: string): readonly string[] {
  return ['run', '--config', 'e2e/vitest.config.ts', `e2e/${name}/`, ...reportFlags(`e2e-${name}`, 'verbose')];
}
