import { resolve } from 'node:path';
import { fileError } from '@fenestra/kernel';
import { listArchives, listVersionBackups } from '@fenestra/lifecycle';
import { Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import { backupListText } from './backup-text.ts';
import { rootOption, type RootFlag } from './root-option.ts';

interface ListFlags extends RootFlag {
  readonly dir?: string;
}

/** `keadm backup list` */
export function backupListCommand({ environment, deliver }: CommandContext): Command {
  return new Command('list')
    .description('List the versions that upgrades kept on this machine; with --dir, also the archives in a folder')
    .option('--dir <folder>', 'folder with archives', (path) => resolve(path))
    .addOption(rootOption())
    .action(async ({ root, dir }: ListFlags) => {
      const { backupsFolder } = (await environment.loadPlatform(root)).layout;
      const versions = await listVersionBackups(backupsFolder).catch((cause: unknown) => {
        throw fileError(cause, `list the folder "${backupsFolder}"`);
      });
      const archives = dir === undefined ? undefined : await listArchives(dir);
      deliver(success({ versions, archives: archives ?? [] }, backupListText(versions, archives)));
    });
}
