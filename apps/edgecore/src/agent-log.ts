import { writeSync } from 'node:fs';
import {
  jsonLogger,
  type LogFields,
  type Logger,
  type LogLevel,
  openRotatingFile,
  type RotatingFile,
} from '@fenestra/platform';

/** The system's own log, for what an administrator should see without looking for our files: Windows' event log. */
export interface SystemLog {
  error(text: string): void;
}

/** The agent's log. */
export interface AgentLog {
  readonly log: Logger;
  /** Writes to this file, too, from the first line on. A second call changes nothing. */
  openFile(path: string): void;
  close(): void;
}

/** What the log is made with. */
interface AgentLogOptions {
  readonly level: LogLevel;
  readonly now: () => Date;
  readonly systemLog?: SystemLog | undefined;
}

const STANDARD_ERROR = 2;
/** What is said before the place of the file is known. */
const MAX_EARLY_LINES = 100;

/** Writes JSON lines to standard error, to a rotating file once it is opened, and errors to the system's log as well. */
export function agentLog({ level, now, systemLog }: AgentLogOptions): AgentLog {
  const early: string[] = [];
  let file: RotatingFile | undefined;
  const write = (line: string): void => {
    writeToStandardError(line);
    if (file !== undefined) file.write(line);
    else if (early.length < MAX_EARLY_LINES) early.push(line);
  };
  const log = jsonLogger(write, level, now);
  return {
    log: systemLog === undefined ? log : alsoReporting(log, systemLog),
    openFile(path) {
      file ??= openRotatingFile(path);
      for (const line of early.splice(0)) file.write(line);
    },
    close() {
      file?.close();
      file = undefined;
    },
  };
}

function alsoReporting(log: Logger, systemLog: SystemLog): Logger {
  return {
    ...log,
    error(message, fields) {
      log.error(message, fields);
      report(systemLog, message, fields);
    },
    with: (fields) => alsoReporting(log.with(fields), systemLog),
  };
}

function report(systemLog: SystemLog, message: string, fields: LogFields = {}): void {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  try {
    systemLog.error([message, ...lines].join('\n'));
  } catch {
    // Our own file has it; a log that takes nothing is not a reason to stop.
  }
}

function writeToStandardError(line: string): void {
  try {
    writeSync(STANDARD_ERROR, line);
  } catch {
    // The reader of our output is gone; the file goes on.
  }
}
