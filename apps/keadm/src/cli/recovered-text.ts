import type { Recovered } from '@fenestra/kernel';

/** What recovery did with a journal that was not finished, in one line. */
export function recoveredText({ command, outcome, path }: Recovered): string {
  switch (outcome) {
    case 'applied':
      return `The interrupted operation "${command}" was finished`;
    case 'reverted':
      return `The interrupted operation "${command}" was undone`;
    case 'set-aside':
      return `The damaged journal of "${command}", which ended before, is now "${path}"`;
  }
}
