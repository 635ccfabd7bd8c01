import { planRestore, restoreNode, type ChosenBackup } from '@fenestra/lifecycle';
import { type NodeChange, withScripts } from '@fenestra/session';
import { cleanText } from '@fenestra/platform/terminal-text';
import type { Command } from 'commander';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../cli/node-command.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { findPassphrase, passphraseOption, passphraseSecret, type PassphraseFlag } from './backup-passphrase.ts';
import { healthOptions, lifecycleOptions, toPath, type HealthFlags, type LifecycleFlags } from './lifecycle-options.ts';
import { openSession, scriptsAround } from './open-session.ts';
import { InputOption } from './input-option.ts';

interface RestoreFlags extends LifecycleFlags, HealthFlags, PassphraseFlag {
  readonly dir: string;
}

/** `keadm restore` */
export function restoreCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('restore', () => ({ ...PRIVILEGED, leavesAgent: true }))
    .description('Restore a node from an archive; the node must not run on another machine')
    .addOption(
      new InputOption('--dir <path>', 'archive, or folder with archives: keadm takes the newest one of this machine')
        .argParser(toPath)
        .makeOptionMandatory(),
    )
    .addOption(passphraseOption('decrypt with the passphrase in this file (default: $KEADM_PASSPHRASE)'));
  return lifecycleOptions(healthOptions(command)).action(async (flags: RestoreFlags) =>
    deliver(await restore(environment, flags)),
  );
}

async function restore(environment: KeadmEnvironment, flags: RestoreFlags): Promise<CommandResult> {
  const secrets = passphraseSecret(await findPassphrase(flags, environment.variables));
  const session = await openSession(environment, flags.root, 'restore', secrets);
  const wishes = { place: flags.dir, limitSeconds: flags.wait, settleSeconds: flags.settle };
  // Read once before any script runs: an archive that cannot be used is not a reason to run them.
  const { plan, backup } = await planRestore(session, wishes);
  if (flags.dryRun) return dryRunResult(plan, { backup });
  const { nodeName, version } = backup;
  const scripted = await scriptsAround(environment, {
    session,
    flags,
    facts: { command: 'restore', nodeName, version },
  });
  const work = async (): Promise<NodeChange> => (await restoreNode(session, wishes, environment.signal)).change;
  return withBackup(changeResult(await withScripts(scripted, work, environment.signal)), backup);
}

function withBackup(result: CommandResult, backup: ChosenBackup): CommandResult {
  const { archive, nodeName, version, created } = backup;
  const reported = cleanText(`"${archive}": the node "${nodeName}" with ${version}, as it was at ${created}`);
  return { ...result, data: { ...result.data, backup }, text: `${result.text}\n${reported}` };
}
