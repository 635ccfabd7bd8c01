import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { rootOption, type RootFlag } from '../root-option.ts';
import { loadGivenConfig, loadNodeConfig } from './config-source.ts';
import { joinLines, notesText } from './config-text.ts';

/** `keadm config validate`: every problem at once, and what the file asks for in vain. */
export function validateCommand({ environment, deliver }: CommandContext): Command {
  return new Command('validate')
    .description('Check a configuration; changes nothing')
    .argument('[file]', 'configuration file to check (default: that of this node)')
    .addOption(rootOption())
    .action(async (file: string | undefined, { root }: RootFlag) => {
      const platform = await environment.loadPlatform(root);
      const path = file ?? platform.layout.agentConfigFile;
      const { notes } = await (file === undefined ? loadNodeConfig(platform) : loadGivenConfig(platform, file));
      deliver(success({ file: path, valid: true, notes }, joinLines(`"${path}" is valid`, notesText(notes))));
    });
}
