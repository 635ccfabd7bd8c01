import { waitsForNetwork } from '@fenestra/steps';
import { gatherWorkerStatus, type WorkerStatus } from '@fenestra/worker';
import { Command } from 'commander';
import { serviceText, statusLines } from '../status-lines.ts';
import type { CommandContext } from '../../cli/program.ts';
import { rootOption, type RootFlag } from '../input-option.ts';
import { openWorkerSession } from './open-worker-session.ts';

const NOT_WORKING_EXIT_CODE = 1;

/** `keadm kube status`: exit code 0 only if the worker works. */
export function kubeStatusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show the status of the Kubernetes worker on this machine; exits 0 if healthy')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const session = await openWorkerSession(environment, root, 'status');
      const status = await gatherWorkerStatus(session, environment.signal);
      const working = isWorking(status);
      const exitCode = working ? 0 : NOT_WORKING_EXIT_CODE;
      deliver({
        data: { working, waitsForNetwork: isWaitingForNetwork(status), ...status },
        text: workerStatusText(status),
        exitCode,
      });
    });
}

const { line, remedy } = statusLines(13);

/** Whether the worker works: its kubelet runs and its cluster has the node as Ready. */
export function isWorking({ service, cluster }: WorkerStatus): boolean {
  if (service.state !== 'running' || cluster === undefined) return false;
  return 'node' in cluster && cluster.node?.ready === 'True';
}

/** Whether all that keeps the node from being Ready is a network plugin, which often comes from the cluster. */
function isWaitingForNetwork({ service, cluster }: WorkerStatus): boolean {
  if (service.state !== 'running' || cluster === undefined || !('node' in cluster)) return false;
  return cluster.node?.ready === 'False' && waitsForNetwork(cluster.node.readyMessage);
}

/** The status as people read it. */
export function workerStatusText(status: WorkerStatus): string {
  const { service, version, joined, prepared } = status;
  if (!joined && !prepared && service.state === 'absent') {
    return [line('worker', 'none'), remedy('To join this machine to a cluster, run "keadm kube join".')].join('\n');
  }
  return [
    line('kubelet', serviceText(service)),
    ...(service.state === 'absent' || status.ownService ? [] : [line('', 'not registered by keadm')]),
    line('version', version ?? 'unknown'),
    ...(joined
      ? membershipLines(status)
      : [line('cluster', 'none yet'), remedy('To join a cluster, run "keadm kube join".')]),
  ].join('\n');
}

function membershipLines({
  nodeName,
  server,
  certificateExpires,
  criSocket,
  cluster,
}: WorkerStatus): readonly string[] {
  return [
    line('node', nodeName ?? 'unknown'),
    line('cluster', server ?? 'unknown'),
    line('certificate', certificateExpires === undefined ? 'none yet' : `valid until ${certificateExpires}`),
    ...(criSocket === undefined ? [] : [line('runtime', criSocket)]),
    ...readyLines(cluster),
  ];
}

function readyLines(cluster: WorkerStatus['cluster']): readonly string[] {
  if (cluster === undefined) return [];
  if ('unknown' in cluster) return [line('ready', `unknown: ${cluster.unknown}`)];
  const { node } = cluster;
  if (node === undefined) return [line('ready', 'the cluster does not have this node')];
  const cordoned = node.schedulable ? '' : ', cordoned';
  if (node.ready === 'True') return [line('ready', `yes${cordoned}`)];
  const why = node.readyMessage || node.readyReason;
  return [line('ready', `${node.ready === 'False' ? 'no' : 'unknown'}${why === '' ? '' : `: ${why}`}${cordoned}`)];
}
