import { withScripts, type ScriptedChange } from '@fenestra/session';
import {
  keptPrograms,
  KUBE_UPGRADE_CHECKS,
  planKubeUpgrade,
  upgradeWorker,
  type KubeUpgradeWishes,
  type PlannedUpgrade,
  type WorkerUpgrade,
} from '@fenestra/worker';
import type { Command } from 'commander';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import type { CommandContext } from '../../cli/program.ts';
import { CHANGES_WORKER, NodeCommand } from '../../cli/node-command.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { durationOption, lifecycleOptions, toPath, type LifecycleFlags } from '../lifecycle-options.ts';
import { scriptsAround } from '../open-session.ts';
import { toCount } from '../version-change.ts';
import { checkOptions, waivedBy, type CheckFlags } from '../check-options.ts';
import { findingsData, noteLines, warningLines } from '../../cli/findings-text.ts';
import { InputOption } from '../input-option.ts';
import {
  drainOptions,
  type DrainFlags,
  programsMissing,
  requiredPrograms,
  sourceSecrets,
  type ProgramFlags,
} from './program-options.ts';
import { openWorkerSession } from './open-worker-session.ts';

interface KubeUpgradeFlags extends LifecycleFlags, CheckFlags, DrainFlags, Omit<ProgramFlags, 'with'> {
  readonly patches?: string;
  readonly wait: number;
  readonly settle: number;
  readonly keep: number;
}

const WAIT_SECONDS = 4 * 60;
/** Long enough to see a kubelet that registers and then falls over. */
const SETTLE_SECONDS = 20;
const KEPT_VERSIONS = 3;

/** `keadm kube upgrade` */
export function kubeUpgradeCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('upgrade', () => ({ ...CHANGES_WORKER, leavesAgent: true, undo: 'rollback' }))
    .description('Upgrade this worker to another Kubernetes version, and roll back if it is not healthy')
    .option('--version <version>', 'Kubernetes version, such as "v1.33.1"')
    .option(
      '--from <source>',
      'folder or URL with the Kubernetes executables, laid out like dl.k8s.io (default: the version that an earlier upgrade kept)',
    )
    .option('--without-checksum', 'accept executables without a checksum file', false)
    .addOption(
      new InputOption(
        '--patches <folder>',
        'folder with kubelet configuration patches in the format of kubeadm',
      ).argParser(toPath),
    )
    .addOption(durationOption('--wait', 'how long to wait for the node to become Ready again', WAIT_SECONDS))
    .addOption(durationOption('--settle', 'how long the kubelet must then stay healthy', SETTLE_SECONDS))
    .option('--keep <number>', 'number of replaced versions to keep', toCount, KEPT_VERSIONS);
  return lifecycleOptions(checkOptions(drainOptions(command, 'drain the node'), KUBE_UPGRADE_CHECKS)).action(
    async (flags: KubeUpgradeFlags) => deliver(await upgrade(environment, flags)),
  );
}

async function upgrade(environment: KeadmEnvironment, flags: KubeUpgradeFlags): Promise<CommandResult> {
  const { signal, terminal } = environment;
  const others = wishesOf(environment, flags);
  if (flags.version === undefined) throw programsMissing();
  const session = await openWorkerSession(environment, flags.root, 'upgrade', sourceSecrets(flags));
  const programs =
    flags.from === undefined
      ? await keptPrograms(session.worker, flags.version)
      : requiredPrograms({ ...flags, with: [] });
  const wishes = { ...others, programs };
  const makePlan = async (): Promise<PlannedUpgrade> => {
    const planned = await planKubeUpgrade(session, wishes, signal);
    terminal.err(warningLines(planned.findings, wishes.waived) + noteLines(planned.warnings));
    return planned;
  };
  if (flags.dryRun) return preview(await makePlan());
  const work = async () => upgradeWorker(session, makePlan, signal);
  const facts = { command: 'kube-upgrade', version: wishes.programs.version };
  const scripted = await scriptsAround(environment, { session, flags, facts });
  return reported(await withScripts(scripted, work, signal));
}

function wishesOf({ commitTime }: KeadmEnvironment, flags: KubeUpgradeFlags): Omit<KubeUpgradeWishes, 'programs'> {
  return {
    kubeconfig: flags.kubeconfig,
    drain: flags.drain,
    drainLimitSeconds: flags.drainLimit,
    patchesFolder: flags.patches,
    waived: waivedBy(flags, KUBE_UPGRADE_CHECKS),
    madeAt: new Date(commitTime),
    keep: flags.keep,
    limitSeconds: flags.wait,
    settleSeconds: flags.settle,
  };
}

function preview({ plan, facts, findings, warnings }: PlannedUpgrade): CommandResult {
  const { nodeName: node, targetVersion: to, current } = facts;
  return dryRunResult(plan, { node, from: current.version, to, checks: findingsData(findings), warnings });
}

function reported(ended: WorkerUpgrade & ScriptedChange): CommandResult {
  const result = changeResult(ended);
  const { node, from, to, backOnOld, notes } = ended;
  const back = backOnOld === undefined ? {} : { backOnOld: backOnOld === 'works' };
  const data = { ...result.data, node, from, to, notes, ...back };
  return { ...result, data, text: [result.text, sentence(ended), ...notes].join('\n') };
}

function sentence({ node, from, to, outcome, backOnOld }: WorkerUpgrade): string {
  if (outcome === 'applied') return `The worker "${node}" runs kubelet ${to}; before, it ran ${from}`;
  if (outcome === 'unchanged') return `The worker "${node}" runs kubelet ${from}`;
  if (backOnOld === undefined) return `The worker "${node}" still runs kubelet ${from}`;
  if (backOnOld === 'works') return `The worker "${node}" was rolled back to kubelet ${from} and is healthy`;
  return `The worker "${node}" was rolled back to kubelet ${from}, which is not healthy either: ${backOnOld.message}`;
}
