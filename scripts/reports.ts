import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';

const FOLDER = resolve('dist/reports');
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numFailedTestSuites: z.int(),
});

/** How a test run shows itself, and where it leaves its figures for the totals at the end. */
export function reportFlags(name: string, reporter: 'default' | 'verbose'): readonly string[] {
  return [`--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${join(FOLDER, `${name}.json`)}`];
}

/** Forgets the figures of earlier runs. */
export function clearReports(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** The closing line: every test of every run. */
export function totalsLine(): string {
  const reports = globSync(`${FOLDER}/*.json`).map((file) => Report.parse(JSON.parse(readFileSync(file, 'utf8'))));
  const sum = (figure: (report: z.infer<typeof Report>) => number): number =>
    reports.reduce((total, each) => total + figure(each), 0);
  const failed = sum((each) => Math.max(each.numFailedTests, each.numFailedTestSuites));
  return `fenestra: ${sum((each) => each.numPassedTests)} passed, ${failed} failed, ${sum((each) => each.numPendingTests)} skipped`;
}
