import { OperatorError } from '@fenestra/kernel';
import type { StepPorts } from './step-ports.ts';
import type { ClusterAccess, WorkerCluster } from './worker-cluster.ts';

/** Does something with a cluster, and lets go of it whatever happens. */
export async function withWorkerCluster<T>(
  { openCluster }: Pick<StepPorts, 'openCluster'>,
  access: ClusterAccess,
  work: (cluster: WorkerCluster) => Promise<T>,
): Promise<T> {
  if (openCluster === undefined) throw noClient();
  const cluster = await openCluster(access);
  try {
    return await work(cluster);
  } finally {
    cluster.close();
  }
}

function noClient(): OperatorError {
  return new OperatorError('NOT_SUPPORTED', 'Cannot ask the cluster: this program carries no client for it', {
    hint: 'Run "keadm recover" with the keadm that began this work.',
  });
}
