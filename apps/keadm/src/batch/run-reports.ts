import { join } from 'node:path';
import { htmlReport, junitReport, reportData, type RunAccount } from '@fenestra/fleet';
import type { KeadmPlatform } from '../platform.ts';

/** The forms a report can have, besides text for people. */
export const REPORT_FORMATS = ['html', 'junit', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const FILES: Readonly<Record<ReportFormat, string>> = {
  html: 'report.html',
  junit: 'report.xml',
  json: 'report.json',
};

/** A run in one of the forms. */
export function reportIn(format: ReportFormat, account: RunAccount): string {
  switch (format) {
    case 'html':
      return htmlReport(account);
    case 'junit':
      return junitReport(account);
    case 'json':
      return `${JSON.stringify(reportData(account), undefined, 2)}\n`;
  }
}

/** Puts all the forms into the run's folder. */
export async function writeReports({ files }: KeadmPlatform, folder: string, account: RunAccount): Promise<void> {
  await Promise.all(
    REPORT_FORMATS.map(async (format) => files.replace(join(folder, FILES[format]), reportIn(format, account))),
  );
}

/** Where the page about a run is. */
export function reportPage(folder: string): string {
  return join(folder, FILES.html);
}
