import { dirname } from 'node:path';
import { gatherNodeFacts } from '@fenestra/lifecycle';
import { pathExists } from '@fenestra/platform';
import { recoverOnly } from '@fenestra/session';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import { joinCommand } from '../join.command.ts';
import { openSession } from '../open-session.ts';
import { upgradeCommand } from '../upgrade.command.ts';
import { planPlaced, type PlacedWork, refuseOlder } from './plan-placed.ts';
import { JOIN_PROPERTIES, readProperties } from './properties.ts';
import { runCommand } from './run-command.ts';
import { withReport } from './with-report.ts';

interface PlacedFlags {
  readonly replaces: string;
  readonly report: string;
}

const COMMANDS = { join: joinCommand, upgrade: upgradeCommand } as const;

/** `keadm installer placed`: an installer has put this program in place. If this fails it takes the program away again. */
export function placedCommand(context: CommandContext): Command {
  return new Command('placed')
    .description('Add keadm to PATH and, if requested, join or upgrade the node')
    .argument('[properties...]', 'NAME=value, a property of the installer; a value can be empty')
    .option('--replaces <version>', 'version that was installed before; can be empty', '')
    .option('--report <file>', 'file for the reason of a failure; can be empty', '')
    .action(async (words: readonly string[], flags: PlacedFlags) =>
      context.deliver(await withReport(flags.report, async () => placed(context, words, flags.replaces))),
    );
}

async function placed(context: CommandContext, words: readonly string[], replaces: string): Promise<CommandResult> {
  const { environment } = context;
  refuseOlder(environment.version, replaces);
  const told = readProperties(words, Object.keys(JOIN_PROPERTIES));
  const session = await openSession(environment, undefined, 'installer placed');
  // What a run that was cut off has left is no node to judge by. Where keadm has never run it leaves no trace.
  if (await pathExists(session.layout.journalFolder)) await recoverOnly(session);
  const result = await carryOut(context, planPlaced(await gatherNodeFacts(session), told, environment.version));
  // Last, because everything before undoes itself when it fails.
  if (result.exitCode === 0) await session.ports.setup?.searchPath.add(dirname(environment.executable));
  return result;
}

async function carryOut(context: CommandContext, work: PlacedWork): Promise<CommandResult> {
  if (work.kind === 'none') return success({ outcome: 'unchanged' }, work.why);
  return runCommand(context, COMMANDS[work.kind], work.words);
}
