import type { RunState } from '../run/run-state.ts';
import { versionsOf } from './node-versions.ts';
import type { RunAccount } from './run-account.ts';

/** The account with what the journal knows besides the events: the file, the planned waves, commands and versions. */
export function describedAccount(account: RunAccount, state: RunState | undefined): RunAccount {
  if (state === undefined) return account;
  const nodes = new Map(account.nodes);
  for (const { name, shownCommand } of state.opened.nodes) {
    const [node, standing] = [nodes.get(name), state.nodes.get(name)];
    if (node === undefined || standing === undefined) continue;
    nodes.set(name, { ...node, command: shownCommand, versions: versionsOf(standing, shownCommand) });
  }
  const waveNames = state.waves?.map(({ name }) => name) ?? account.waveNames;
  return { ...account, file: state.opened.batch.file, waveNames, nodes };
}
