import { cleanText, countsLine, nextStep, spanText, type NodeAccount, type RunAccount } from '@fenestra/fleet';
import { tableText } from './table-text.ts';

/** How a run stands that somebody works on. */
export const GOES_ON = 'goes on';

const HEAD = ['NODE', 'STATE', 'WAVE', 'ATTEMPTS', 'WHAT'];

/** How a run stands, and what the commands are given to find it. */
export interface ShownStanding {
  readonly standing: string;
  readonly named: string;
}

/** Where a run and each of its nodes stand, for people, and what to do next unless somebody works on it. */
export function runStatusText(account: RunAccount, { standing, named }: ShownStanding, now: Date): string {
  const { run, begunAt, endedAt } = account;
  const time = begunAt === undefined ? '' : `, ${spanText((endedAt ?? now.getTime()) - begunAt)}`;
  const nodes = [...account.nodes.values()];
  const head = [`${run}: ${standing}${time}`, countsLine(account), ''];
  const next = standing === GOES_ON ? '' : nextStep(account, named);
  return [...head, tableText([HEAD, ...nodes.map(nodeRow)]), ...(next === '' ? [] : ['', next])].join('\n');
}

function nodeRow({ name, state, wave = '-', attempt, text = '', failure }: NodeAccount): readonly string[] {
  const what = failure === undefined ? text : `${failure.code}: ${failure.message}`;
  return [cleanText(name), state, cleanText(wave), attempt === 0 ? '-' : String(attempt), cleanText(what)];
}
