import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import { LONGEST_CMD_LINE } from '../cloudbase/runcmd-script.ts';
import type { UserDataCommand } from './request.ts';

/** Throws for the first command that cmd.exe would not run as it is meant. */
export function requireRunnable(commands: readonly UserDataCommand[], code: ErrorCode): void {
  for (const { text, place } of commands) {
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    if (lines.length > 1) throw severalLines(place, lines.length, code);
    if (lines.some((line) => line.length > LONGEST_CMD_LINE)) throw tooLong(place, code);
  }
}

/** Of several lines only the last one says how it went, so a failure before it would go unseen. */
function severalLines(place: string, count: number, code: ErrorCode): OperatorError {
  return new OperatorError(code, `Cannot run ${place}: it has ${count} lines, and only the last could fail`, {
    hint: 'Give one command per entry; what needs several lines goes into a file that a command calls.',
  });
}

function tooLong(place: string, code: ErrorCode): OperatorError {
  return new OperatorError(
    code,
    `Cannot run ${place}: cmd.exe reads lines of ${LONGEST_CMD_LINE} letters, and it is longer`,
    { hint: 'Put what it does into a file, and let the command call that.' },
  );
}
