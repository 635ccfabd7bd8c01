import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { AGENT_SERVICE, CLOUD_SERVICE, gatherNodeFacts } from '@fenestra/lifecycle';
import { type NodeSession, recoverOnly } from '@fenestra/session';
import { KUBELET_SERVICE } from '@fenestra/worker/kubelet';
import { pathExists } from '@fenestra/platform';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { success, type CommandResult } from '../cli/result.ts';
import { openSession } from './open-session.ts';
import { resetCommand } from './reset.command.ts';
import { readProperties, RESET_PROPERTY, JOIN_PROPERTIES } from './installer/properties.ts';
import { runCommand, withReport } from './installer/with-report.ts';
import { joinCommand } from './join.command.ts';
import { upgradeCommand } from './upgrade.command.ts';
import { planPlaced, type PlacedWork, refuseOlder } from './installer/plan-placed.ts';

/** `keadm installer …`: what the installers have the program do that they bring, so that all of them do it alike. */
export function installerCommand(context: CommandContext): Command {
  return commandGroup('installer', 'Used by the installers; not for manual use', [
    placedCommand(context),
    leavingCommand(context),
  ]);
}

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

/** keadm's own memory outlives a node, but not keadm itself; unless there is still something here that it manages. */
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
  const properties = readProperties(words, Object.keys(JOIN_PROPERTIES));
  const session = await openSession(environment, undefined, 'installer placed');
  // What a run that was cut off has left is no node to judge by. Where keadm has never run it leaves no trace.
  if (await pathExists(session.layout.journalFolder)) await recoverOnly(session);
  const result = await carryOut(context, planPlaced(await gatherNodeFacts(session), properties, environment.version));
  // Last, because everything before undoes itself when it fails.
  if (result.exitCode === 0) await session.ports.setup?.searchPath.add(dirname(environment.executable));
  return result;
}

async function carryOut(context: CommandContext, work: PlacedWork): Promise<CommandResult> {
  if (work.kind === 'none') return success({ outcome: 'unchanged' }, work.why);
  return runCommand(context, COMMANDS[work.kind], work.words);
}
