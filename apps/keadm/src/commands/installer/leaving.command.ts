import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AGENT_SERVICE, CLOUD_SERVICE } from '@fenestra/lifecycle';
import type { NodeSession } from '@fenestra/session';
import { KUBELET_SERVICE } from '@fenestra/worker/kubelet';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import { openSession } from '../open-session.ts';
import { resetCommand } from '../reset.command.ts';
import { readProperties, RESET_PROPERTY } from './properties.ts';
import { runCommand } from './run-command.ts';
import { withReport } from './with-report.ts';

/** What says no although it is not empty. */
const NO = ['0', 'no', 'false'];

/** `keadm installer leaving`: an installer is about to take this program away. */
export function leavingCommand(context: CommandContext): Command {
  return new Command('leaving')
    .description('Remove keadm from PATH and, with RESET_NODE, reset the node')
    .argument('[properties...]', `${RESET_PROPERTY}=yes removes the node; the value can be empty`)
    .option('--report <file>', 'file for the reason of a failure; can be empty', '')
    .action(async (words: readonly string[], { report }: { readonly report: string }) =>
      context.deliver(await withReport(report, async () => leave(context, words))),
    );
}

async function leave(context: CommandContext, words: readonly string[]): Promise<CommandResult> {
  const { environment } = context;
  const wanted = readProperties(words, [RESET_PROPERTY]).get(RESET_PROPERTY);
  const resets = wanted !== undefined && !NO.includes(wanted.toLowerCase());
  const session = await openSession(environment, undefined, 'installer leaving');
  const result = resets ? await runCommand(context, resetCommand, ['--force']) : success({ outcome: 'unchanged' }, '');
  if (result.exitCode !== 0) return result;
  await forgetEverything(session, environment.signal);
  await session.ports.setup?.searchPath.remove(dirname(environment.executable));
  return result;
}

/** keadm's own memory outlives a node, but not keadm itself; unless there is still something here that it looks after. */
async function forgetEverything({ ports, layout }: NodeSession, signal: AbortSignal): Promise<void> {
  for (const service of [AGENT_SERVICE, CLOUD_SERVICE, KUBELET_SERVICE]) {
    if ((await ports.services.read(service)) !== undefined) return;
  }
  const { bookkeepingFolder, configFolder } = layout;
  const above = [dirname(bookkeepingFolder), dirname(dirname(bookkeepingFolder)), dirname(configFolder)];
  await ports.files.removeTree(bookkeepingFolder, dirname(bookkeepingFolder), signal);
  // They may have been made for the node alone. One that is not empty stays.
  for (const folder of above) await rmdir(folder).catch(() => undefined);
}
