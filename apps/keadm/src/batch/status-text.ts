import { commandText, countsLine, spanText, versionsText, type NodeAccount, type RunAccount } from '@fenestra/fleet';
import { cleanText } from '@fenestra/platform/terminal-text';
import { tableText } from '../cli/table-text.ts';

const HEAD = ['NODE', 'STATE', 'WAVE', 'ATTEMPTS', 'VERSION', 'WHAT'];

/** Where a run and each of its nodes stand, for people; what to do next comes last. */
export function runStatusText(account: RunAccount, { standing, next }: ShownStanding, now: Date): string {
  const { run, file, begunAt, endedAt } = account;
  const time = begunAt === undefined ? '' : `, ${spanText((endedAt ?? now.getTime()) - begunAt)}`;
  const from = file === undefined ? [] : [`File: ${cleanText(file)}`];
  const head = [`${run}: ${standing}${time}`, ...from, countsLine(account), ''];
  const table = tableText([HEAD, ...[...account.nodes.values()].map(nodeRow)]);
  return [...head, table, ...next.flatMap((line) => ['', line])].join('\n');
}

/** How a run stands, and what to do next about it. */
interface ShownStanding {
  readonly standing: string;
  readonly next: readonly string[];
}

function nodeRow(node: NodeAccount): readonly string[] {
  const { name, state, wave = '-', attempt, versions } = node;
  const tried = attempt === 0 ? '-' : String(attempt);
  return [
    cleanText(name),
    state,
    cleanText(wave),
    tried,
    cleanText(versionsText(versions, '->')) || '-',
    cleanText(whatOf(node)),
  ];
}

/** Where there is nothing else to say, the command is. */
function whatOf({ failure, text, command }: NodeAccount): string {
  if (failure !== undefined) return `${failure.code}: ${failure.message}`;
  return text ?? (command === undefined ? '' : commandText(command));
}
