import type { OperatorError } from '@fenestra/kernel';
import type { HostFacts, ServiceStatus, WorkerHostFacts } from '@fenestra/platform';
import type { ClusterNode, Finding } from '@fenestra/session';
import type { DiskSpace, FoundRuntime, MemoryNeeds, NodePort } from '@fenestra/session/checks';

/** What the cluster reports before a machine becomes its worker. */
export interface ClusterFacts {
  /** `https://host:port`. */
  readonly server: string;
  /** The API server's version. */
  readonly version: string;
  /** The node of the wanted name, if the cluster has one already. */
  readonly existingNode: ClusterNode | undefined;
}

/** What a machine is judged by before it is prepared, joins or is upgraded. */
export interface PreflightFacts {
  readonly host: HostFacts;
  readonly worker: WorkerHostFacts;
  readonly madeAt: Date;
  readonly memoryNeeds: MemoryNeeds;
  readonly space: DiskSpace;
  readonly nodeName: string;
  readonly nameInCloud: Finding;
  readonly runtime: FoundRuntime;
  readonly networkComesLater: true;
  readonly ports: readonly NodePort[];
  readonly ownServiceRuns: boolean;
  readonly service: ServiceStatus;
  /** Why the kubelet's service is not ours to change; `undefined` where it is, or where there is none. */
  readonly foreignService: OperatorError | undefined;
  /** Files of a worker of another cluster. */
  readonly leftovers: readonly string[];
  readonly resetCommand: string;
  readonly foreignPrograms: readonly string[];
  /** Whether the kubelet starts although there is swap. */
  readonly swapTolerated: boolean;
  /** The kubelet that will run; `undefined` where there is none. */
  readonly kubeletVersion: string | undefined;
  /** `undefined` where no cluster is asked yet. */
  readonly cluster: ClusterFacts | undefined;
}
