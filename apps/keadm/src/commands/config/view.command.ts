import { redactConfig, settingsYaml } from '@fenestra/contracts';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { rootOption, type RootFlag } from '../root-option.ts';
import { loadNodeConfig } from './config-source.ts';

/** `keadm config view`: secrets are masked. */
export function viewCommand({ environment, deliver }: CommandContext): Command {
  return new Command('view')
    .description('Show the settings of the node agent, without secrets')
    .addOption(rootOption())
    .option('--defaults', 'show all settings, including those with default values', false)
    .action(async ({ root, defaults }: RootFlag & { defaults: boolean }) => {
      const platform = await environment.loadPlatform(root);
      const { config, given } = await loadNodeConfig(platform);
      const settings = defaults ? config : given;
      const data = { file: platform.layout.agentConfigFile, config: redactConfig(settings) };
      deliver(success(data, settingsYaml(settings).trimEnd()));
    });
}
