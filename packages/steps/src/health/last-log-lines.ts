import { lastLines, type ServiceManager } from '@fenestra/platform';

const LOG_LINES = 15;

/** Error details with the last lines of a log, if there are any. */
export type LogDetails = { readonly log?: string };

/** What a service's program wrote last, as its service manager kept it; otherwise the end of the program's own log. */
export async function serviceLog(services: ServiceManager, name: string, logFile?: string): Promise<LogDetails> {
  const kept = await services.lastLines(name, LOG_LINES);
  return kept.length > 0 || logFile === undefined ? detailsOf(kept) : ownLog(logFile);
}

/** The end of a program's own log. */
export async function ownLog(logFile: string): Promise<LogDetails> {
  return detailsOf(await lastLines(logFile, LOG_LINES));
}

function detailsOf(lines: readonly string[]): LogDetails {
  return lines.length === 0 ? {} : { log: lines.join('\n') };
}
