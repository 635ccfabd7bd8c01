import type { OperatorError } from '@fenestra/kernel';
import type { DiskFacts, HostFacts, ServiceStatus, WorkerHostFacts } from '@fenestra/platform';
import type { ClusterNode } from '@fenestra/session';
import type { RuntimeReport } from '@fenestra/steps';

/** What the cluster says before a machine becomes its worker. */
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
  /** When this program was made: a clock that is behind it is wrong. */
  readonly madeAt: Date;
  readonly nodeName: string;
  readonly runtime: RuntimeReport & { readonly endpoint: string };
  readonly kubeletPortFree: boolean;
  readonly service: ServiceStatus;
  /** Why the kubelet's service is not ours to change; `undefined` where it is, or where there is none. */
  readonly foreignService: OperatorError | undefined;
  /** What tells that this machine is, or was, another cluster's worker. */
  readonly leftovers: readonly string[];
  /** Programs that would be replaced although keadm did not place them. */
  readonly strangePrograms: readonly string[];
  readonly programDisk: DiskFacts;
  readonly programBytes: number;
  /** Whether the kubelet starts although there is swap. */
  readonly swapTolerated: boolean;
  /** The kubelet that will run; `undefined` where there is none. */
  readonly kubeletVersion: string | undefined;
  /** `undefined` where no cluster is asked yet. */
  readonly cluster: ClusterFacts | undefined;
}
