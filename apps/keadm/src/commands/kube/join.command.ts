import { requireLabels } from '@fenestra/contracts';
import type { JoinConfiguration } from '@fenestra/contracts/kube';
import {
  alreadyJoined,
  joinWorker,
  KUBE_JOIN_CHECKS,
  planKubeJoin,
  type KubeJoinWishes,
  type PlannedKubeJoin,
  waivedChecks,
} from '@fenestra/worker';
import type { Command } from 'commander';
import { placeSteps } from '@fenestra/kernel';
import type { HeardRun, ScriptedChange } from '@fenestra/session';
import type { CommandContext } from '../../cli/program.ts';
import { CHANGES_WORKER, NodeCommand } from '../../cli/node-command.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { toLabels, readToken } from '../join-flags.ts';
import { scriptsAround } from '../open-session.ts';
import { waivedBy } from '../check-options.ts';
import { noteLines, warningLines, findingsData } from '../../cli/findings-text.ts';
import { requireSafeInputs } from '../input-option.ts';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import { errorText } from '../../cli/report-error.ts';
import { joinConfiguration } from './join-configuration.ts';
import { type KubeJoinFlags, kubeJoinOptions } from './join-options.ts';
import { openWorkerSession } from './open-worker-session.ts';
import { programWishes, sourceSecrets } from './program-options.ts';

/** `keadm kube join` */
export function kubeJoinCommand({ environment, deliver }: CommandContext): Command {
  const command = new NodeCommand('join', () => ({ ...CHANGES_WORKER, leavesAgent: true, undo: 'reset' }))
    .description('Join this machine to a Kubernetes cluster; if that fails, every change is undone')
    .argument('[endpoint]', 'API server endpoint, as host:port');
  return kubeJoinOptions(command).action(async (endpoint: string | undefined, flags: KubeJoinFlags) =>
    deliver(await join(environment, endpoint, flags)),
  );
}

async function join(
  environment: KeadmEnvironment,
  endpoint: string | undefined,
  flags: KubeJoinFlags,
): Promise<CommandResult> {
  const { signal, terminal } = environment;
  const wishes = await wishesOf(environment, endpoint, flags);
  const session = await openWorkerSession(environment, flags.root, 'join', sourceSecrets(flags));
  await requireSafeInputs(session.ports.access, namedPaths(wishes.configuration));
  if (flags.dryRun || wishes.configuration.dryRun) return joinPreview(await planKubeJoin(session, wishes, signal));
  const facts = { command: 'kube-join', ...(endpoint === undefined ? {} : { cloud: endpoint }) };
  const scripted = await scriptsAround(environment, { session, flags, facts });
  const onPlanned = ({ findings, warnings }: PlannedKubeJoin): void =>
    terminal.err(warningLines(findings, wishes.waived) + noteLines(warnings));
  const { change, planned, received } = await joinWorker(session, wishes, { scripted, onPlanned }, signal);
  return joinResult(change, planned, received);
}

function namedPaths({ discovery, patchesFolder }: JoinConfiguration): readonly (string | undefined)[] {
  return [discovery.kind === 'file' ? discovery.path : undefined, patchesFolder];
}

/** Everything that the command line alone can have wrong is found out here, before anything happens. */
async function wishesOf(
  environment: KeadmEnvironment,
  endpoint: string | undefined,
  flags: KubeJoinFlags,
): Promise<KubeJoinWishes> {
  const labels = toLabels(flags.labels ?? []);
  requireLabels(labels);
  const { host, workerLayout } = await environment.loadPlatform(flags.root);
  const joined = await alreadyJoined(workerLayout);
  // A token that has done its work may be gone, and its file with it.
  const token = flags.config === undefined && !joined ? await readToken(environment, flags) : undefined;
  const configuration = await joinConfiguration({ endpoint, token, flags, os: (await host.facts()).os, joined });
  const skipsChecks = configuration.skipPhases.some(isPreflight);
  const others = configuration.skipPhases.filter((phase) => !isPreflight(phase));
  if (others.length > 0)
    environment.terminal.err(noteLines([`"skipPhases" entries are ignored: ${others.join(', ')}`]));
  const waived = waivedBy(flags, KUBE_JOIN_CHECKS, configuration.ignorePreflightErrors);
  return {
    configuration,
    programs: programWishes(flags),
    labels,
    bootstrap: flags.bootstrap,
    waived: skipsChecks ? waivedChecks(['all'], KUBE_JOIN_CHECKS) : waived,
    madeAt: new Date(environment.commitTime),
    limitSeconds: flags.wait ?? configuration.timeouts.kubeletHealthCheck / 1000,
    settleSeconds: flags.settle,
    waitReady: flags.waitReady,
  };
}

/** The one phase of kubeadm's that can be left out here as well: the checks. */
function isPreflight(phase: string): boolean {
  return phase.split('/')[0] === 'preflight';
}

function joinPreview(planned: PlannedKubeJoin): CommandResult {
  const result = dryRunResult(planned.plan, dataOf(planned));
  return planned.plan.length === 0 ? { ...result, text: alreadyJoinedText(planned) } : result;
}

/** How a join ended. */
export function joinResult(
  change: ScriptedChange,
  planned: PlannedKubeJoin,
  { notes, begun }: HeardRun,
): CommandResult {
  const result = changeResult(change);
  const { nodeName: node, server, kubeletVersion } = planned.facts;
  const data = { ...result.data, ...dataOf(planned) };
  if (change.outcome === 'reverted') {
    const left = [...notes, ...traceInCluster(planned, begun)];
    return { ...result, data: { ...data, notes: left }, text: [result.text, ...left].join('\n') };
  }
  const joined = `Node "${node}" has joined the cluster at ${server}, with kubelet ${kubeletVersion}`;
  const sentence = change.outcome === 'unchanged' ? alreadyJoinedText(planned) : joined;
  const complaint = change.scriptFailure === undefined ? [] : [errorText(change.scriptFailure)];
  return { ...result, data: { ...data, notes }, text: [sentence, ...notes, ...complaint].join('\n') };
}

/** A node cannot delete itself, so a kubelet that ran for a while may have left it in the cluster. */
function traceInCluster({ facts, plan }: PlannedKubeJoin, begun: ReadonlySet<number>): readonly string[] {
  const started = placeSteps(plan).some(({ index, step }) => step.kind === 'start-service' && begun.has(index));
  if (!started || facts.joining === undefined) return [];
  const { nodeName } = facts;
  return [`The cluster may list the node "${nodeName}"; remove it there with "kubectl delete node ${nodeName}"`];
}

function alreadyJoinedText({ facts: { nodeName, server } }: PlannedKubeJoin): string {
  return `Nothing to do: this machine is already the worker "${nodeName}" of the cluster at ${server}`;
}

function dataOf({ facts, findings, warnings }: PlannedKubeJoin): Readonly<Record<string, unknown>> {
  const { nodeName: node, server, kubeletVersion: version, criSocket } = facts;
  return { node, server, version, criSocket, checks: findingsData(findings), warnings };
}
