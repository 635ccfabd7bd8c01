import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { reportFlags } from './reports.ts';
import type { RunStep } from './run-step.ts';

/** The whole-system suites: a folder of `e2e/suites` each, with its settings in `suite.json` if it has any. */
const FOLDER = join(import.meta.dirname, '../e2e/suites');
const TABLE = {
  begin: '<!-- Suites: made by scripts/reference.ts -->',
  end: '<!-- End of suites -->',
};

const Settings = z.strictObject({
  /** What the suite shows; by default the comment at the beginning of its first test file. */
  about: z.string().optional(),
  /** What the suite leaves out when all suites run together; without this it always runs whole. */
  short: z.string().optional(),
  /** Each file has its own machines and mostly waits for them: two files run at once. */
  sideBySide: z.boolean().default(false),
  /** The whole form needs more memory than two files may use at once. */
  aloneWhenWhole: z.boolean().default(false),
  /** The command that runs the suite, where `npm test` does not. */
  onRequest: z.string().optional(),
  /** How long it takes among all the others, where that is more than a minute: the longest begins first. */
  seconds: z.number().default(60),
});

interface Suite extends z.output<typeof Settings> {
  readonly name: string;
  readonly about: string;
}

export const SUITES: readonly Suite[] = Array.from(
  new Set(globSync(join(FOLDER, '*/*.e2e.test.ts')).map(dirname)),
  readSuite,
).toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

function readSuite(folder: string): Suite {
  const file = join(folder, 'suite.json');
  const settings = Settings.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  return { ...settings, name: basename(folder), about: settings.about ?? openingComment(folder) };
}

function openingComment(folder: string): string {
  const [file = ''] = globSync(join(folder, '*.e2e.test.ts')).toSorted();
  const comment = /^\/\*\*(.*?)\.?\s*\*\//s.exec(readFileSync(file, 'utf8'))?.[1];
  if (comment === undefined) throw new Error(`Begin "${file}" with a comment that says what the suite shows`);
  return comment.replaceAll(/\s+\*?\s*/g, ' ').trim();
}

export function suiteNamed(name: string): Suite {
  const suite = SUITES.find((one) => one.name === name);
  if (suite === undefined) throw new Error(`There is no suite "${name}" in ${FOLDER}`);
  return suite;
}

export function suiteStep(suite: Suite, isShort: boolean): RunStep {
  return {
    name: `e2e ${suite.name}${isShort ? ', short form' : ''}`,
    command: 'vitest',
    args: vitestArgs(suite, isShort),
    env: { FENESTRA_E2E_SHORT: isShort ? 'yes' : 'no', NODE_DISABLE_COMPILE_CACHE: '1' },
    contain: true,
  };
}

/** Verbose, because that is how the reason of a skipped case is shown. */
function vitestArgs(suite: Suite, isShort: boolean): readonly string[] {
  const isTogether = suite.sideBySide && (isShort || !suite.aloneWhenWhole);
  const sideBySide = isTogether ? ['--fileParallelism', '--maxWorkers=2'] : [];
  const flags = [...sideBySide, ...reportFlags(`e2e-${suite.name}`, 'verbose')];
  return ['run', '--config', 'e2e/vitest.config.ts', '--dir', `e2e/suites/${suite.name}`, ...flags];
}

/** The page with its table of suites as the suites describe themselves now. */
export function withSuiteTable(page: string): string {
  const before = page.slice(0, page.indexOf(TABLE.begin));
  const after = page.slice(page.indexOf(TABLE.end) + TABLE.end.length);
  return `${before}${TABLE.begin}\n\n${suiteTable()}\n\n${TABLE.end}${after}`;
}

function suiteTable(): string {
  const rows = SUITES.map(({ name, about, short, onRequest }) => [
    `\`${name}\``,
    about,
    onRequest === undefined ? (short ?? 'whole') : `no: \`${onRequest}\``,
  ]);
  const all = [['Suite', 'Shows', 'In `npm test`'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  return lines.toSpliced(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`).join('\n');
}
