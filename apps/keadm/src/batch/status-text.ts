import { cleanText, countsLine, spanText, type NodeAccount, type RunAccount } from '@fenestra/fleet';
import { tableText } from './table-text.ts';

const HEAD = ['NODE', 'STATE', 'WAVE', 'ATTEMPTS', 'WHAT'];

/** Where a run and each of its nodes stand, for people; what to do next comes last. */
export function runStatusText(account: RunAccount, { standing, next }: ShownStanding, now: Date): string {
  const { run, begunAt, endedAt } = account;
  const time = begunAt === undefined ? '' : `, ${spanText((endedAt ?? now.getTime()) - begunAt)}`;
  const head = [`${run}: ${standing}${time}`, countsLine(account), ''];
  const table = tableText([HEAD, ...[...account.nodes.values()].map(nodeRow)]);
  return [...head, table, ...next.flatMap((line) => ['', line])].join('\n');
}

/** How a run stands, and what to do next about it. */
interface ShownStanding {
  readonly standing: string;
  readonly next: readonly string[];
}

function nodeRow({ name, state, wave = '-', attempt, text = '', failure }: NodeAccount): readonly string[] {
  const what = failure === undefined ? text : `${failure.code}: ${failure.message}`;
  return [cleanText(name), state, cleanText(wave), attempt === 0 ? '-' : String(attempt), cleanText(what)];
}
