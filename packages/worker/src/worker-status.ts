import { OperatorError } from '@fenestra/kernel';
import { type ServiceStatus, within } from '@fenestra/platform';
import type { ClusterNode } from '@fenestra/session';
import { gatherMachine, installed } from './machine/gather-machine.ts';
import { runtimeSocket } from './machine/runtime-socket.ts';
import { readIdentity } from './machine/worker-identity.ts';
import type { WorkerSession } from './worker-session.ts';

const CLUSTER_LIMIT_MS = 15_000;

type NodeAnswer = { readonly node: ClusterNode | undefined } | { readonly unknown: string };

/** Where the worker on this machine stands. */
export interface WorkerStatus {
  readonly service: ServiceStatus;
  readonly ownService: boolean;
  readonly version: string | undefined;
  readonly nodeName: string | undefined;
  /** `https://host:port`. */
  readonly server: string | undefined;
  readonly certificateExpires: string | undefined;
  readonly criSocket: string | undefined;
  readonly joined: boolean;
  readonly prepared: boolean;
  /** `undefined` where there is no cluster to be asked. */
  readonly cluster: NodeAnswer | undefined;
}

/** Looks at the machine and at its cluster, and changes nothing. */
export async function gatherWorkerStatus(session: WorkerSession, signal: AbortSignal): Promise<WorkerStatus> {
  const machine = await gatherMachine(session, signal);
  const { layout, record } = machine;
  const identity = await readIdentity(layout);
  const nodeName = record?.cluster?.nodeName ?? identity.nodeName;
  return {
    service: machine.service,
    ownService: machine.spec !== undefined && machine.foreignService === undefined,
    version: installed(machine, 'kubelet')?.version,
    nodeName,
    server: record?.cluster?.server ?? identity.server,
    certificateExpires: identity.expires?.toISOString(),
    criSocket: await runtimeSocket(machine),
    joined: machine.hasIdentity,
    prepared: record !== undefined,
    cluster: machine.hasIdentity && nodeName !== undefined ? await askCluster(session, nodeName, signal) : undefined,
  };
}

async function askCluster({ ports, worker }: WorkerSession, name: string, signal: AbortSignal): Promise<NodeAnswer> {
  try {
    const cluster = await ports.openCluster({ kubeconfigFile: worker.kubeconfig });
    try {
      return { node: await cluster.node(name, within(CLUSTER_LIMIT_MS, signal)) };
    } finally {
      cluster.close();
    }
  } catch (error) {
    if (error instanceof OperatorError) return { unknown: error.message };
    throw error;
  }
}
