import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { openSession } from '../open-session.ts';
import { requireSafeInputs } from '../require-safe-paths.ts';
import { changeOptions, wishOf, type ConfigChangeFlags } from './change-options.ts';
import { configChange } from './config-change.ts';
import { readConfigFile } from './config-source.ts';

/** `keadm config apply FILE` */
export function applyCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('apply')
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
