import { gatherResetFacts, planReset, reportReset, resetNode, type ResetWishes } from '@fenestra/lifecycle';
import { withScripts } from '@fenestra/session';
import type { Command } from 'commander';
import { dryRunResult } from '../cli/change-result.ts';
import type { CommandContext } from '../cli/program.ts';
import { type DeclaredEffect, NodeCommand, PRIVILEGED } from '../cli/node-command.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { durationOption, lifecycleOptions, toPath, type LifecycleFlags } from './lifecycle-options.ts';
import { openSession, scriptsAround } from './open-session.ts';
import { confirmReset, requireEdge, resetPreview, endedReset, reportText } from './reset-text.ts';
import { InputOption } from './input-option.ts';

interface ResetFlags extends LifecycleFlags {
  readonly force: boolean;
  readonly keepBackups: boolean;
  readonly kubeconfig?: string;
  readonly kubeConfig?: string;
  readonly drain: boolean;
  readonly drainLimit: number;
  readonly podGrace: number;
  readonly remoteRuntimeEndpoint?: string;
}

const DRAIN_LIMIT_SECONDS = 5 * 60;
const POD_GRACE_SECONDS = 5 * 60;

/** A reset asks for a confirmation. */
const RESET_EFFECT: DeclaredEffect = {
  ...PRIVILEGED,
  undo: 'rejoin',
  goal: { kind: 'removed' },
  unattended: ['--force'],
};

/** `keadm reset` */
export function resetCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('reset', () => RESET_EFFECT)
    .description('Remove the node from this machine and nothing else')
    .argument('[edge]', '"edge", the only part that can be reset')
    .option('--force', 'do not ask for confirmation, and abandon an earlier operation that cannot be finished', false)
    .option('--keep-backups', 'keep the backups of replaced versions', false)
    .addOption(
      new InputOption('--kubeconfig <file>', 'kubeconfig of the cloud: drain the node there and delete it').argParser(
        toPath,
      ),
    )
    .addOption(new InputOption('--kube-config <file>').argParser(toPath).hideHelp())
    .option('--no-drain', 'do not drain the node')
    .addOption(durationOption('--drain-limit', 'how long to wait for pods to be evicted', DRAIN_LIMIT_SECONDS))
    .addOption(
      durationOption('--pod-grace', 'how long a pod may take to end at most, whatever it asks for', POD_GRACE_SECONDS),
    )
    .option('--remote-runtime-endpoint <endpoint>', 'endpoint of the container runtime (default: as configured)');
  return lifecycleOptions(command).action(async (part: string | undefined, flags: ResetFlags) => {
    requireEdge(part);
    deliver(await reset(environment, flags));
  });
}

async function reset(environment: KeadmEnvironment, flags: ResetFlags): Promise<CommandResult> {
  const { signal } = environment;
  const session = await openSession(environment, flags.root, 'reset');
  const wishes = wishesOf(flags);
  const seen = await gatherResetFacts(session, wishes, signal);
  const plan = planReset(seen);
  if (flags.dryRun) return dryRunResult(plan, resetPreview(seen));
  if (plan.length > 0 && !flags.force) await confirmReset(environment, seen);
  const facts = { command: 'reset', nodeName: seen.nodeName };
  const work = async () => resetNode(session, wishes, signal);
  const change = await withScripts(await scriptsAround(environment, { session, flags, facts }), work, signal);
  const report = change.outcome === 'reverted' ? undefined : await reportReset(session, change, signal);
  return endedReset(change, change.abandoned, report && { report, text: reportText(change, report) });
}

function wishesOf(flags: ResetFlags): ResetWishes {
  return {
    force: flags.force,
    kubeconfig: flags.kubeconfig ?? flags.kubeConfig,
    drain: flags.drain,
    drainLimitSeconds: flags.drainLimit,
    podGraceSeconds: flags.podGrace,
    keepBackups: flags.keepBackups,
    runtimeEndpoint: flags.remoteRuntimeEndpoint,
  };
}
