import { cleanText } from '@fenestra/platform/terminal-text';
import { countStates, type FailureGroup, failureGroups } from './node-states.ts';
import type { RunAccount } from './run-account.ts';
import { spanText } from './texts.ts';

/** How many names of a group are told before the rest is only counted. */
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
