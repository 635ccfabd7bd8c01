import type { ProgramBehaviour } from '@fenestra/platform/contract';

// A record rather than a list, so that the compiler misses none.
const BEHAVIOURS: Readonly<Record<ProgramBehaviour, true>> = {
  serve: true,
  'fail-at-start': true,
  'slow-start': true,
  'slow-stop': true,
  'crash-on-reload': true,
};

/** Whether a word of the command line names something the noting program can do. */
export function isBehaviour(word: string): word is ProgramBehaviour {
  return Object.hasOwn(BEHAVIOURS, word);
}
