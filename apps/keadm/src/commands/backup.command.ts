import { resolve } from 'node:path';
import {
  backUpNode,
  planBackup,
  listArchives,
  listVersionBackups,
  type FoundArchive,
  type NodeBackup,
  type VersionBackup,
} from '@fenestra/lifecycle';
import { Command } from 'commander';
import { fileError } from '@fenestra/kernel';
import { cleanText } from '@fenestra/platform/terminal-text';
import { bytesText } from '@fenestra/platform';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../cli/node-command.ts';
import { type CommandResult, success } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { findPassphrase, passphraseOption, passphraseSecret, type PassphraseFlag } from './backup-passphrase.ts';
import { openSession } from './open-session.ts';
import { requireSafeOutput, rootOption, type RootFlag } from './input-option.ts';
import { refuseUpstreamFlags } from './lifecycle-options.ts';

interface BackupFlags extends RootFlag, PassphraseFlag {
  readonly dir: string;
  readonly dryRun: boolean;
}

/** `keadm backup` and `keadm backup list`; `keadm backup edge` is upstream's way to say the first. */
export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('Back up this node, or list backups')
    .addCommand(edgeCommand(context), { isDefault: true })
    .addCommand(backupListCommand(context));
}

function edgeCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('edge', () => PRIVILEGED)
    .description('Back up this node to one archive while it keeps running; the same as "keadm backup --dir D"')
    .requiredOption('--dir <folder>', 'folder for the archive', (path) => resolve(path))
    .addOption(passphraseOption('encrypt with the passphrase in this file (default: $KEADM_PASSPHRASE)'))
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false);
  return refuseUpstreamFlags(command, {
    '--config': 'Remove it: a backup always contains the configuration of this node.',
    '--pre-run': 'Remove it: a backup changes nothing on the node. Run the script yourself before the backup.',
    '--post-run': 'Remove it: a backup changes nothing on the node. Run the script yourself after the backup.',
  }).action(async (flags: BackupFlags) => deliver(await backUp(environment, flags)));
}

async function backUp(environment: KeadmEnvironment, flags: BackupFlags): Promise<CommandResult> {
  const passphrase = await findPassphrase(flags, environment.variables);
  const session = await openSession(environment, flags.root, 'backup', passphraseSecret(passphrase));
  await requireSafeOutput(session.ports.access, flags.dir);
  const wishes = { folder: flags.dir, encrypted: passphrase !== undefined };
  // Looked at before the node's lock is taken: a machine without a node gets no trace of a backup.
  const planned = await planBackup(session, wishes);
  if (flags.dryRun) return dryRunResult(planned.plan, { backup: planned.backup });
  const { change, backup, bytes } = await backUpNode(session, wishes, environment.signal);
  const result = changeResult(change);
  if (change.outcome !== 'applied') return result;
  return { ...result, data: { ...result.data, ...backup, bytes }, text: backupText(backup, bytes) };
}

interface ListFlags extends RootFlag {
  readonly dir?: string;
}

/** `keadm backup list` */
export function backupListCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('list', () => PRIVILEGED)
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

/** What `keadm backup` says about the archive it wrote. */
export function backupText(backup: NodeBackup, bytes: number): string {
  const { archive, encrypted, nodeName, version, files, missing } = backup;
  const width = Math.max(...files.map(({ role }) => role.length));
  return [
    `Wrote "${archive}"`,
    `  ${bytesText(bytes)}, ${encrypted ? 'encrypted' : 'not encrypted'}: the node "${nodeName}" with ${version}`,
    ...files.map(({ role, path }) => `  ${role.padEnd(width)}  ${path}`),
    ...(missing.length === 0 ? [] : [`Not included, because the node does not have it: ${missing.join(', ')}`]),
    encrypted
      ? 'Keep the passphrase: the archive cannot be opened without it.'
      : 'It contains the private key of the node: keep it safe.',
  ].join('\n');
}

/** What `keadm backup list` says. Without a folder no one knows of archives. */
export function backupListText(
  versions: readonly VersionBackup[],
  archives: readonly FoundArchive[] | undefined,
): string {
  return [
    versions.length === 0 ? 'This machine has no replaced versions' : 'Versions for "keadm rollback":',
    ...versions.map(({ version, takenAt, bytes }) => `  ${version}  ${takenAt}  ${bytesText(bytes)}`),
    ...(archives === undefined ? [] : archiveLines(archives)),
  ].join('\n');
}

function archiveLines(archives: readonly FoundArchive[]): readonly string[] {
  return [
    archives.length === 0 ? 'The folder has no archives' : 'Archives for "keadm restore":',
    ...archives.map(
      ({ path, nodeName, version, created, bytes, encrypted }) =>
        `  ${[nodeName, version, created, bytesText(bytes), ...(encrypted ? ['encrypted'] : []), path].map(cleanText).join('  ')}`,
    ),
  ];
}
