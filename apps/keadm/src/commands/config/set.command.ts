import { requireAssignments, setInYaml, splitByComma } from '@fenestra/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { NodeCommand } from '../../cli/node-command.ts';
import { openSession } from '../open-session.ts';
import { refuseUpstreamFlags } from '../lifecycle-options.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { requireSafeInputs } from '../input-option.ts';
import { changeOptions, CONFIGURATION_EFFECT, wishOf, type ConfigChangeFlags, configChange } from './config-change.ts';
import { readConfigFile } from './config-source.ts';

/** `keadm config set modules.edgeHub.heartbeat=20` */
export function setCommand(context: CommandContext): Command {
  const command = new NodeCommand('set', () => CONFIGURATION_EFFECT)
    .description('Change settings of this node and restart its agent if needed')
    .argument('<setting...>', 'setting, such as modules.edgeHub.heartbeat=20');
  return changeOptions(command).action(async (settings: readonly string[], flags: ConfigChangeFlags) =>
    setSettings(context, 'config set', settings, flags),
  );
}

/** `keadm config-update --set a=1,b=2`: upstream's name for the same. */
export function configUpdateCommand(context: CommandContext): Command {
  const command = new NodeCommand('config-update', () => CONFIGURATION_EFFECT)
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

/** `keadm config apply FILE` */
export function applyCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('apply', () => CONFIGURATION_EFFECT)
    .description('Replace the configuration of this node and restart its agent if needed')
    .argument('<file>', 'new configuration file');
  return changeOptions(command).action(async (file: string, flags: ConfigChangeFlags) =>
    deliver(await applyConfigFile(environment, 'config apply', file, flags)),
  );
}

/** Has the node take up the file an operator names. `command` is how it was typed after `keadm`. */
export async function applyConfigFile(
  environment: KeadmEnvironment,
  command: string,
  file: string,
  flags: ConfigChangeFlags,
): Promise<CommandResult> {
  const session = await openSession(environment, flags.root, command);
  await requireSafeInputs(session.ports.access, [file]);
  const text = await readConfigFile(file);
  const wish = wishOf(flags, { make: () => text, fileName: file });
  return configChange(environment, { command, session, wish, flags });
}
