import { diffConfig, restartKeys } from '@fenestra/contracts';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { rootOption, type RootFlag } from '../root-option.ts';
import { loadGivenConfig, loadNodeConfig } from './config-source.ts';
import { changesText, joinLines, restartText } from './config-text.ts';

/** `keadm config diff`: what another file would change, without secrets. */
export function diffCommand({ environment, deliver }: CommandContext): Command {
  return new Command('diff')
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
