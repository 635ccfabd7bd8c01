import { withScripts, type AbandonedRun, type ScriptedChange } from '@fenestra/session';
import {
  gatherResetFacts,
  planKubeReset,
  reportKubeReset,
  resetWorker,
  type KubeResetWishes,
  type KubeResetReport,
  type WorkerReset,
} from '@fenestra/worker';
import type { Command } from 'commander';
import { dryRunResult, recoveredText } from '../../cli/change-result.ts';
import type { CommandContext } from '../../cli/program.ts';
import { CHANGES_WORKER, NodeCommand } from '../../cli/node-command.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { lifecycleOptions, type LifecycleFlags } from '../lifecycle-options.ts';
import { confirmReset, endedReset, abandonedText } from '../reset-text.ts';
import { scriptsAround } from '../open-session.ts';
import { drainOptions, type DrainFlags } from './program-options.ts';
import { openWorkerSession } from './open-worker-session.ts';

interface KubeResetFlags extends LifecycleFlags, DrainFlags {
  readonly force: boolean;
  readonly keepPrograms: boolean;
  readonly criSocket?: string;
}

/** `keadm kube reset` */
export function kubeResetCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('reset', () => ({ ...CHANGES_WORKER, undo: 'rejoin', unattended: ['--force'] }))
    .description('Remove the Kubernetes worker from this machine and nothing else')
    .option(
      '-f, --force',
      'do not ask for confirmation, and abandon an earlier operation that cannot be finished',
      false,
    )
    .option('--keep-programs', 'keep the Kubernetes executables that keadm installed', false)
    .option('--cri-socket <endpoint>', 'endpoint of the container runtime (default: the one of the worker)');
  return lifecycleOptions(drainOptions(command, 'drain the node and delete it')).action(async (flags: KubeResetFlags) =>
    deliver(await reset(environment, flags)),
  );
}

async function reset(environment: KeadmEnvironment, flags: KubeResetFlags): Promise<CommandResult> {
  const { signal } = environment;
  const session = await openWorkerSession(environment, flags.root, 'reset');
  const wishes = wishesOf(flags);
  const seen = await gatherResetFacts(session, wishes, signal);
  const plan = planKubeReset(seen);
  const { nodeName: node, kept, cluster, runtime } = seen;
  if (flags.dryRun) return dryRunResult(plan, { node, kept, cluster, runtime });
  if (plan.length > 0 && !flags.force) await confirmReset(environment, { nodeName: node, nameKnown: true });
  const work = async () => resetWorker(session, wishes, signal);
  const facts = { command: 'kube-reset', nodeName: node };
  const change = await withScripts(await scriptsAround(environment, { session, flags, facts }), work, signal);
  const report = change.outcome === 'reverted' ? undefined : await reportKubeReset(session, change, signal);
  return resetResult(change, change.abandoned, report);
}

function wishesOf({ force, kubeconfig, drain, drainLimit, keepPrograms, criSocket }: KubeResetFlags): KubeResetWishes {
  return { force, kubeconfig, drain, drainLimitSeconds: drainLimit, keepPrograms, criSocket };
}

/** How a reset ended. Without a report it was undone. */
export function resetResult(
  change: ScriptedChange,
  abandoned: readonly AbandonedRun[],
  report?: KubeResetReport,
): CommandResult {
  return endedReset(change, abandoned, report && { report, text: reportText({ ...change, abandoned }, report) });
}

function reportText(
  { outcome, recovered, abandoned }: Pick<WorkerReset, 'outcome' | 'recovered' | 'abandoned'>,
  { node, removed, kept, notes }: KubeResetReport,
): string {
  const done = outcome === 'applied';
  return [
    ...abandoned.map(abandonedText),
    ...recovered.map(recoveredText),
    done ? `Removed the worker "${node}" from this machine` : 'Nothing to do: this machine has no worker',
    ...removed.map((path) => `  deleted  ${path}`),
    ...(done ? kept : []).map(({ path, why }) => `  kept     ${path}: ${why}`),
    ...notes,
  ].join('\n');
}
