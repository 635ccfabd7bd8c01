import { ERROR_CODES } from '@fenestra/kernel';
import type { KeadmAnswer } from './keadm-in-memory.ts';

/** 1 is the plain "no" of a question; a bug is never right. */
const EXIT_CODES: readonly number[] = [0, 1, ...Object.values(ERROR_CODES)].filter(
  (code) => code !== ERROR_CODES.INTERNAL,
);

/** What no answer may be, whatever the command line; `undefined` if this one is fine. */
export function answerProblem(args: readonly string[], { exitCode, out, err }: KeadmAnswer): string | undefined {
  const problem = problemOf(args, exitCode, out, err);
  return problem === undefined ? undefined : `${problem}: ${JSON.stringify(args)}\n${out}${err}`;
}

function problemOf(args: readonly string[], exitCode: number, out: string, err: string): string | undefined {
  if (!EXIT_CODES.includes(exitCode)) return `exit code ${exitCode}`;
  if (/\n\s+at .*:\d+:\d+/.test(out + err)) return 'a stack trace';
  return isAnsweredInJson(args) && !isJson(out) ? 'no JSON' : undefined;
}

/** The form that is given last counts, unless "--" has turned it into an argument. */
function isAnsweredInJson(args: readonly string[]): boolean {
  return !args.includes('--') && /(?:^| )(?:-o ?|--output[ =])json$/.test(args.slice(-2).join(' '));
}

/** One value, or a line each for a command that reports events while they happen. */
function isJson(text: string): boolean {
  return isParsed(text) || text.trim().split('\n').every(isParsed);
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
