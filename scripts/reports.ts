import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as z from 'zod';

const FOLDER = resolve('dist/reports');
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numFailedTestSuites: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
type Report = z.infer<typeof Report>;
/** Enough for a message and the line it came from. */
const REASON_LINES = 6;

/** How a test run shows itself, and where it leaves its figures for the totals at the end. */
export function reportFlags(name: string, reporter: 'default' | 'verbose'): readonly string[] {
  return [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${join(FOLDER, `${name}.json`)}`];
}

/** Forgets the figures of earlier runs. */
export function clearReports(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** The closing lines: every test that failed, with its reason, and the totals of all runs. */
export function closingText(): string {
  const reports = globSync(`${FOLDER}/*.json`).map((file) => Report.parse(JSON.parse(readFileSync(file, 'utf8'))));
  return [...reports.flatMap(failedTests), totalsLine(reports)].join('\n');
}

function failedTests({ testResults }: Report): readonly string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => `FAILED  ${relative('.', name)} > ${test.fullName}\n${reasonOf(test.failureMessages ?? [])}`),
  );
}

function reasonOf(messages: readonly string[]): string {
  return messages.map((message) => message.split('\n').slice(0, REASON_LINES).join('\n')).join('\n');
}

function totalsLine(reports: readonly Report[]): string {
  const sum = (figure: (report: Report) => number): number => reports.reduce((total, each) => total + figure(each), 0);
  const failed = sum((each) => Math.max(each.numFailedTests, each.numFailedTestSuites));
  return `fenestra: ${sum((each) => each.numPassedTests)} passed, ${failed} failed, ${sum((each) => each.numPendingTests)} skipped`;
}
