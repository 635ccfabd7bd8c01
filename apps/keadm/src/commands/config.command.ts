import type { Command } from 'commander';
import { redactConfig, settingsYaml, diffConfig, restartKeys } from '@fenestra/contracts';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../cli/node-command.ts';
import { success } from '../cli/result.ts';
import { applyCommand, setCommand } from './config/set.command.ts';
import { rootOption, type RootFlag } from './input-option.ts';
import { loadNodeConfig, loadGivenConfig } from './config/config-source.ts';
import { joinLines, notesText, changesText, restartText } from './config/config-text.ts';

/** `keadm config …`: the settings of this node's agent. */
export function configCommand(context: CommandContext): Command {
  return commandGroup('config', 'Show, check and change the settings of the node agent', [
    viewCommand(context),
    validateCommand(context),
    diffCommand(context),
    setCommand(context),
    applyCommand(context),
  ]);
}

/** `keadm config view`: secrets are masked. */
export function viewCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('view', () => PRIVILEGED)
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

/** `keadm config validate`: every problem at once, and what the file sets without effect. */
export function validateCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('validate', () => PRIVILEGED)
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

/** `keadm config diff`: what another file would change, without secrets. */
export function diffCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('diff', () => PRIVILEGED)
    .description('Show which settings of this node a configuration would change')
    .argument('<file>', 'configuration file to compare with')
    .addOption(rootOption())
    .action(async (file: string, { root }: RootFlag) => {
      const platform = await environment.loadPlatform(root);
      const [present, wanted] = [await loadNodeConfig(platform), await loadGivenConfig(platform, file)];
      const changes = diffConfig(present.config, wanted.config);
      const restarts = restartKeys(present.config, wanted.config);
      const text = joinLines(changesText(changes), restartText(restarts));
      const data = { changes, restartKeys: restarts };
      deliver(success(data, text === '' ? 'No differences' : text));
    });
}
