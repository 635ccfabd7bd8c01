import { terminalText } from './terminal-text.ts';

/** Facts that accompany a message: never tokens or keys. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** How much a message matters; a logger drops what is below its own level. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Where a long-running program says what it does. Writing never throws and never waits. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same logger, with these fields on every line. */
  with(fields: LogFields): Logger;
}

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * A logger that writes one JSON object per line: `time`, `level`, `msg`, then the fields. The line ends with a newline.
 * Characters that a terminal would obey or hide are escaped, which does not change the meaning of the JSON.
 */
export function jsonLogger(write: (line: string) => void, level: LogLevel, now: () => Date): Logger {
  const bound = (always: LogFields): Logger => {
    const log =
      (at: LogLevel) =>
      (msg: string, fields: LogFields = {}) => {
        if (ORDER[at] < ORDER[level]) return;
        const head = { time: now().toISOString(), level: at, msg };
        // Named twice: first for the order of the keys, last so that no field can take the place of one.
        write(terminalText(`${JSON.stringify({ ...head, ...always, ...fields, ...head })}\n`));
      };
    return {
      debug: log('debug'),
      info: log('info'),
      warn: log('warn'),
      error: log('error'),
      with: (fields) => bound({ ...always, ...fields }),
    };
  };
  return bound({});
}

/** A logger that keeps quiet. */
export function silentLogger(): Logger {
  return jsonLogger(
    () => {},
    'error',
    () => new Date(),
  );
}
