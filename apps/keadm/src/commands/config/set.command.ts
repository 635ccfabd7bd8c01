import { requireAssignments, setInYaml, splitByComma } from '@fenestra/contracts';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { openSession } from '../open-session.ts';
import { refuseUpstreamFlags } from '../upstream-flags.ts';
import { changeOptions, wishOf, type ConfigChangeFlags } from './change-options.ts';
import { configChange } from './config-change.ts';

/** `keadm config set modules.edgeHub.heartbeat=20` */
export function setCommand(context: CommandContext): Command {
  const command = new Command('set')
    .description('Change settings of this node and restart its agent if needed')
    .argument('<setting...>', 'setting, such as modules.edgeHub.heartbeat=20');
  return changeOptions(command).action(async (settings: readonly string[], flags: ConfigChangeFlags) =>
    setSettings(context, 'config set', settings, flags),
  );
}

/** `keadm config-update --set a=1,b=2`: upstream's name for the same. */
export function configUpdateCommand(context: CommandContext): Command {
  const command = new Command('config-update')
    .description('The same as "keadm config set", with the name and options of upstream')
    .requiredOption('--set <settings>', 'settings, such as modules.edgeHub.heartbeat=20, separated by commas');
  const known = refuseUpstreamFlags(changeOptions(command), {
    '--config': 'Remove it: the command always changes the configuration of this node.',
  });
  return known.action(async (flags: ConfigChangeFlags & { set: string }) =>
    setSettings(context, 'config-update', splitByComma(flags.set), flags),
  );
}

async function setSettings(
  { environment, deliver }: CommandContext,
  command: string,
  settings: readonly string[],
  flags: ConfigChangeFlags,
): Promise<void> {
  requireAssignments(settings);
  const session = await openSession(environment, flags.root, command);
  const make = (present: string): string => setInYaml(present, settings);
  const wish = wishOf(flags, { make, fileName: session.layout.agentConfigFile });
  deliver(await configChange(environment, { command, session, wish, flags }));
}
