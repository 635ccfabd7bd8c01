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
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { toLabels } from '../join-flags.ts';
import { readToken } from '../join-token.ts';
import { scriptsAround } from '../scripts-around.ts';
import { waivedBy } from '../check-options.ts';
import { noteLines, warningLines } from '../../cli/findings-text.ts';
import { joinConfiguration } from './join-configuration.ts';
import type { KubeJoinFlags } from './join-flags.ts';
import { kubeJoinOptions } from './join-options.ts';
import { joinPreview, joinResult } from './join-result.ts';
import { openWorkerSession } from './open-worker-session.ts';
import { programWishes, sourceSecrets } from './program-options.ts';
import { requireSafeInputs } from '../require-safe-paths.ts';

/** `keadm kube join` */
export function kubeJoinCommand({ environment, deliver }: CommandContext): Command {
  const command = new Command('join')
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
  const { change, planned, heard } = await joinWorker(session, wishes, { scripted, onPlanned }, signal);
  return joinResult(change, planned, heard);
}

/** The files that a configuration file names. */
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
