import { resolve } from 'node:path';
import { backUpNode, planBackup } from '@fenestra/lifecycle';
import { Command } from 'commander';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { backupListCommand } from './backup-list.command.ts';
import { findPassphrase, passphraseOption, passphraseSecret, type PassphraseFlag } from './backup-passphrase.ts';
import { backupText } from './backup-text.ts';
import { openSession } from './open-session.ts';
import { requireSafeOutput } from './require-safe-paths.ts';
import { rootOption, type RootFlag } from './root-option.ts';
import { refuseUpstreamFlags } from './upstream-flags.ts';

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
  const command = new Command('edge')
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
