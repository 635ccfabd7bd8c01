import { dirname } from 'node:path';
import { gatherNodeFacts } from '@fenestra/lifecycle';
import { pathExists, recoverOnly } from '@fenestra/steps';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import { joinCommand } from '../join.command.ts';
import { openSession } from '../open-session.ts';
import { upgradeCommand } from '../upgrade.command.ts';
import { planPlaced, type PlacedFlags, type PlacedWork } from './plan-placed.ts';
import { runCommand } from './run-command.ts';
import { withReport } from './with-report.ts';

const COMMANDS = { join: joinCommand, upgrade: upgradeCommand } as const;

/** `keadm installer placed`: an installer has put this program in place. If this fails it takes the program away again. */
export function placedCommand(context: CommandContext): Command {
  const command = new Command('placed').description('Join or upgrade as wanted, and be found by every shell');
  const options = ['cloudcore-ip', 'hub-port', 'certport', 'edgenode-name', 'labels', 'config', 'token-file', 'token'];
  for (const name of options) command.option(`--${name} <value>`, 'as in "keadm join"; may be empty', '');
  return command
    .option('--report <file>', 'where to write why it failed; may be empty', '')
    .action(async (flags: PlacedFlags & { readonly report: string }) =>
      context.deliver(await withReport(flags.report, async () => placed(context, flags))),
    );
}

async function placed(context: CommandContext, flags: PlacedFlags): Promise<CommandResult> {
  const { environment } = context;
  const session = await openSession(environment, undefined, 'installer placed');
  // What a run that was cut off has left is no node to judge by. Where keadm has never run it leaves no trace.
  if (await pathExists(session.layout.journalFolder)) await recoverOnly(session);
  const result = await carryOut(context, planPlaced(await gatherNodeFacts(session), flags, environment.version));
  // Last, because everything before undoes itself when it fails.
  if (result.exitCode === 0) await session.ports.setup?.searchPath.add(dirname(environment.executable));
  return result;
}

async function carryOut(context: CommandContext, work: PlacedWork): Promise<CommandResult> {
  if (work.kind === 'none') return success({ outcome: 'unchanged' }, work.why);
  return runCommand(context, COMMANDS[work.kind], work.words);
}
