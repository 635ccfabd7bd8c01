import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';

/** `keadm version` */
export function versionCommand({ environment, deliver }: CommandContext): Command {
  const { version, commit } = environment;
  return new Command('version')
    .description('Show the version of this program')
    .action(() => deliver(success({ version, commit }, `fenestra ${version} (${commit})`)));
}
