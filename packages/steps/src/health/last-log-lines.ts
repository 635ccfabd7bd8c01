import { lastLines, type ServiceManager, type Host } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';

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

/** An agent that finds less than this can neither keep its database nor say what is wrong with it. */
const TOO_LITTLE_BYTES = 1024 * 1024;

/** Says `DISK_FULL` in place of what came of it, if one of these folders is on a disk without room; else the failure itself. */
export async function blameFullDisk(host: Host, folders: readonly string[], failure: unknown): Promise<unknown> {
  for (const folder of folders) {
    const { freeBytes } = await host.disk(folder);
    if (freeBytes < TOO_LITTLE_BYTES) return fullDisk(folder, freeBytes, failure);
  }
  return failure;
}

function fullDisk(folder: string, free: number, cause: unknown): OperatorError {
  return new OperatorError('DISK_FULL', `The agent cannot work: the disk of "${folder}" has ${free} bytes free`, {
    hint: 'Free some space on this disk, then run the command again.',
    cause,
    details: { free },
  });
}
