import {
  type BatchEvent,
  accountOf,
  describedAccount,
  nodeLogPath,
  standingOf,
  type RunAccount,
  type StoredRun,
} from '@fenestra/fleet';
import { lastLines } from '@fenestra/platform';

const LINES = 20;

/** The account of a run that is on disk: all its nodes, with what those that went wrong said last. */
export async function storedAccount(stored: StoredRun): Promise<RunAccount> {
  const reported = toldEvents(stored);
  const wrong = [...accountOf(reported).nodes.values()].filter(({ state }) => standingOf(state) === 'wrong');
  const lines = await Promise.all(wrong.map(async ({ name }) => lastEvents(stored, name)));
  return describedAccount(accountOf([...reported, ...lines.flat()]), stored.state);
}

/** The same without anyone's words, which takes no other file than the journal. */
export function journalAccount(stored: StoredRun): RunAccount {
  return { ...describedAccount(accountOf(toldEvents(stored)), stored.state), run: stored.id };
}

/** Nodes that nothing was heard of yet are nodes of the run, too. */
function toldEvents({ events, state }: StoredRun): readonly BatchEvent[] {
  const { nodes = [], time = '' } = state?.opened ?? {};
  return [...nodes.map(({ name }): BatchEvent => ({ type: 'node', time, node: name, state: 'waiting' })), ...events];
}

async function lastEvents({ folder, state }: StoredRun, node: string): Promise<readonly BatchEvent[]> {
  const lines = await lastLines(nodeLogPath(folder, node), LINES);
  return lines.map((line) => ({ type: 'node-log', time: state?.opened.time ?? '', node, line }));
}
