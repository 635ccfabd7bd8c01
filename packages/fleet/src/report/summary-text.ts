import { cleanText } from '@fenestra/platform/terminal-text';
import { countStates, type FailureGroup, failureGroups, standingOf } from './node-states.ts';
import type { RunAccount } from './run-account.ts';
import { spanText } from './texts.ts';

/** How many names of a group are listed before the rest is only counted. */
const NAMES_TOLD = 12;

const OUTCOMES: Readonly<Record<NonNullable<RunAccount['outcome']>, string>> = {
  'all-well': 'Succeeded',
  'some-failed': 'Some nodes failed',
  halted: 'Halted',
  aborted: 'Aborted',
};

/** What became of a run, for people: how many, which failed and why. */
export function summaryText(account: RunAccount): string {
  const groups = failureGroups(account.nodes.values()).flatMap(groupLines);
  return [headline(account), countsLine(account), ...haltLines(account), ...groups]
    .filter((line) => line !== '')
    .join('\n');
}

/** How many nodes are where, in one line. */
export function countsLine({ nodes, total }: RunAccount): string {
  const counts = [...countStates(nodes.values())].map(([state, count]) => `${count} ${state}`);
  const unheard = total - nodes.size;
  return [...counts, ...(unheard > 0 ? [`${unheard} not started`] : [])].join(', ');
}

function headline({ run, outcome, begunAt, endedAt, total }: RunAccount): string {
  const how = outcome === undefined ? 'Not finished' : OUTCOMES[outcome];
  const time = begunAt === undefined || endedAt === undefined ? '' : ` in ${spanText(endedAt - begunAt)}`;
  return `${how}: run ${run}, ${total} ${total === 1 ? 'node' : 'nodes'}${time}`;
}

function haltLines({ halted }: RunAccount): readonly string[] {
  return halted === undefined ? [] : [`Halted in wave "${halted.wave}": ${cleanText(halted.reason)}`];
}

function groupLines({ code, failure, nodes }: FailureGroup): readonly string[] {
  const names = nodes.map(({ name }) => name);
  const more = names.length > NAMES_TOLD ? ` and ${names.length - NAMES_TOLD} more` : '';
  return [
    `${code} on ${names.length}: ${names.slice(0, NAMES_TOLD).join(', ')}${more}`,
    `  ${cleanText(failure.message)}`,
    `  Hint: ${cleanText(failure.hint)}`,
  ];
}

/**
 * What to do next about a run that stands like this, in one line; nothing if all is well. `named` is what the commands
 * are given to find the run. `resume` does nodes that were held and no others; `retry` does all that are not up to date,
 * in a new run with separate waves.
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

/** What is wrong would be wrong on the nodes that were held, too, so it is fixed before anything goes on. */
function afterRule(account: RunAccount, { resume, retry }: Commands): string {
  const all = `fix what failed, then ${retry} repeats all that is not up to date, in a new run`;
  // Who had a change undone wants another one, and not the same on the rest.
  if (!has(account, 'held') || has(account, 'rolled-back')) return all;
  return `${all}; or ${resume} continues with the held nodes and skips those that failed`;
}

/** Someone has stopped it: the rest may well go on. */
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
