import { cleanText, countsLine, spanText, type NodeAccount, type RunAccount } from '@fenestra/fleet';
import { tableText } from './table-text.ts';

const HEAD = ['NODE', 'STATE', 'WAVE', 'ATTEMPTS', 'WHAT'];

/** Where a run and each of its nodes stand, for people. */
export function runStatusText(account: RunAccount, standing: string, now: Date): string {
  const { run, begunAt, endedAt } = account;
  const time = begunAt === undefined ? '' : `, ${spanText((endedAt ?? now.getTime()) - begunAt)}`;
  const nodes = [...account.nodes.values()];
  return [`${run}: ${standing}${time}`, countsLine(account), '', tableText([HEAD, ...nodes.map(nodeRow)])].join('\n');
}

function nodeRow({ name, state, wave = '-', attempt, text = '', failure }: NodeAccount): readonly string[] {
  const what = failure === undefined ? text : `${failure.code}: ${failure.message}`;
  return [cleanText(name), state, cleanText(wave), String(attempt), cleanText(what)];
}
