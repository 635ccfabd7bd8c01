import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import { readHistoryEntry, historyText } from './history-entry.ts';
import { rootOption, type RootFlag } from './input-option.ts';
import { toCount } from './version-change.ts';
import { openJournals } from './open-session.ts';

/** `keadm history`: from the journals, which are kept for the last runs only. */
export function historyCommand({ environment, deliver }: CommandContext): Command {
  return new Command('history')
    .description('Show what keadm did on this node and with what result, newest last')
    .option('-n, --limit <number>', 'number of the newest entries to show (default: all)', toCount)
    .addOption(rootOption())
    .action(async ({ root, limit }: RootFlag & { readonly limit?: number }) => {
      const paths = await (await openJournals(environment, root)).list();
      const entries = await Promise.all(newest(paths, limit).map(readHistoryEntry));
      deliver(success(entries, historyText(entries)));
    });
}

function newest<T>(items: readonly T[], limit: number | undefined): readonly T[] {
  return limit === undefined ? items : items.slice(Math.max(0, items.length - limit));
}
