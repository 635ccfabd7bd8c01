import { standingOf } from './node-states.ts';
import type { RunAccount } from './run-account.ts';

/**
 * What to do next about a run that stands like this, in one line; nothing if all is well. `named` is what the commands
 * are given to find the run. `resume` does nodes that were held and no others; `retry` does all that are not as wanted,
 * in a new run with waves of its own.
 */
export function nextStep(account: RunAccount, named: string): string {
  const words = wordsFor(account, {
    go: `"keadm batch continue ${named}"`,
    resume: `"keadm batch resume ${named}"`,
    retry: `"keadm batch retry ${named}"`,
  });
  return words === '' ? '' : `Next: ${words}.`;
}

interface Commands {
  readonly go: string;
  readonly resume: string;
  readonly retry: string;
}

function wordsFor(account: RunAccount, commands: Commands): string {
  const { go, resume, retry } = commands;
  switch (account.outcome) {
    case undefined:
      return account.paused ? `${go} ends the pause` : `${resume} continues each node where it was`;
    case 'all-well':
      return '';
    case 'some-failed':
      return `fix what failed, then ${retry} repeats it in a new run`;
    case 'halted':
      return account.halted?.by === 'hold' ? afterStop(account, commands) : afterRule(account, commands);
    case 'aborted':
      return afterStop(account, commands);
  }
}

/** What is wrong would be wrong on the nodes that were held, too, so it is mended before anything goes on. */
function afterRule(account: RunAccount, { resume, retry }: Commands): string {
  const all = `fix what failed, then ${retry} repeats all that is not up to date, in a new run`;
  // Who had a change undone wants another one, and not the same on the rest.
  if (!has(account, 'held') || has(account, 'rolled-back')) return all;
  return `${all}; or ${resume} continues with the held nodes and skips those that failed`;
}

/** Somebody has stopped it: the rest may well go on. */
function afterStop(account: RunAccount, { resume, retry }: Commands): string {
  const again = `${retry} repeats all that is not up to date, in a new run`;
  if (!has(account, 'held')) return again;
  const rest = `${resume} continues with the held nodes`;
  return hasWrong(account) ? `${rest}; or ${again}` : rest;
}

function has({ nodes }: RunAccount, wanted: 'held' | 'rolled-back'): boolean {
  return [...nodes.values()].some(({ state }) => state === wanted);
}

function hasWrong({ nodes }: RunAccount): boolean {
  return [...nodes.values()].some(({ state }) => standingOf(state) === 'wrong');
}
