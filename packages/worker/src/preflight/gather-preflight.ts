import { OperatorError } from '@fenestra/kernel';
import { type HostFacts, pathExists, type ServiceStatus, within, type WorkerHostFacts } from '@fenestra/platform';
import type { ProgramSource } from '@fenestra/releases';
import { type ClusterNode, failedBy, type Finding, pass, skip } from '@fenestra/session';
import {
  type DiskSpace,
  type FoundRuntime,
  type MemoryNeeds,
  type NodePort,
  serviceRemedy,
} from '@fenestra/session/checks';
import { inspectRuntime, type RuntimeReport } from '@fenestra/steps';
import { installed, type WorkerMachine } from '../machine/gather-machine.ts';
import type { WorkerSession } from '../worker-session.ts';

/** Where the API server expects a kubelet. */
export const KUBELET_PORT = 10_250;

const RUNTIME_LIMIT_MS = 15_000;
const MEBIBYTE = 1024 ** 2;
/** A kubelet and a container runtime alone need about half of the total. */
const MEMORY_NEEDS: MemoryNeeds = { totalBytes: 512 * MEBIBYTE, comfortableBytes: 1024 * MEBIBYTE, freeBytes: 0 };
/** Configuration, certificates, journal and log. */
const REST_BYTES = 128 * MEBIBYTE;

/** What a command is about to do, as far as the checks care. */
export interface PreflightAttempt {
  readonly machine: WorkerMachine;
  readonly madeAt: Date;
  readonly nodeName: string;
  readonly criSocket: string;
  readonly sources: readonly ProgramSource[];
  readonly swapTolerated: boolean;
  readonly cluster: ClusterFacts | undefined;
  /** A worker that has joined has its identity by right. */
  readonly keepsIdentity?: boolean;
}

/** Finds out what the checks need, and changes nothing. */
export async function gatherPreflight(
  { host, worker: layout, workerFacts }: WorkerSession,
  attempt: PreflightAttempt,
  signal: AbortSignal,
): Promise<PreflightFacts> {
  const { machine, sources, criSocket, nodeName, cluster } = attempt;
  const { service, foreignService } = machine;
  const facts = await workerFacts();
  const report = await inspectRuntime(criSocket, within(RUNTIME_LIMIT_MS, signal));
  return {
    ...attempt,
    host: machine.host,
    worker: facts,
    memoryNeeds: MEMORY_NEEDS,
    // Each program is there twice until it is in its place.
    space: {
      disk: await host.disk(layout.programFolder),
      neededBytes: 2 * sources.reduce((sum, { size }) => sum + size, 0) + REST_BYTES,
    },
    nameInCloud: judgeName(cluster, nodeName),
    runtime: { ...report, endpoint: criSocket, remedy: runtimeRemedy(facts, criSocket, report) },
    ports: [{ port: KUBELET_PORT, free: await host.portFree(KUBELET_PORT) }],
    ownServiceRuns: service.state === 'running' && foreignService === undefined,
    service,
    foreignService,
    leftovers:
      attempt.keepsIdentity === true
        ? []
        : await existing([layout.kubeconfig, layout.bootstrapKubeconfig, layout.caFile]),
    resetCommand: 'keadm kube reset',
    foreignPrograms: foreignPrograms(machine, sources),
    kubeletVersion: sources.find(({ name }) => name === 'kubelet')?.version ?? installed(machine, 'kubelet')?.version,
  };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(pathExists));
  return paths.filter((_path, index) => there[index]);
}

/** Programs that would be replaced although keadm did not install them. Replacing one by the same bytes loses nothing. */
function foreignPrograms({ programs }: WorkerMachine, sources: readonly ProgramSource[]): readonly string[] {
  const replaced = programs.filter(({ name, sha256, ours, version }) => {
    const source = sources.find((candidate) => candidate.name === name);
    if (source === undefined || ours) return false;
    return source.digest.algorithm === 'sha256' ? source.digest.hex !== sha256 : source.version !== version;
  });
  return replaced.map(({ path }) => path);
}

/** Two kubelets of one name overwrite each other's node endlessly, so a Ready node of the name is refused. */
export function judgeName(cluster: ClusterFacts | undefined, nodeName: string): Finding {
  if (cluster === undefined) return skip('The cluster was not checked');
  const { existingNode: found, server } = cluster;
  if (found === undefined) return pass(`The cluster has no node "${nodeName}"`);
  if (found.ready !== 'True') return pass(`Node "${nodeName}" exists but is not Ready; this machine will take it over`);
  const message = `Cannot join as "${nodeName}": the cluster at ${server} has a node of that name, and it is Ready`;
  return failedBy(
    new OperatorError('NODE_NAME_TAKEN', message, {
      hint: `Give this node another name with "--node-name", or delete the other one with "kubectl delete node ${nodeName}".`,
    }),
  );
}

/** What exactly is missing of a container runtime, from the service to the pipe. */
export function runtimeRemedy(
  worker: WorkerHostFacts,
  endpoint: string,
  { remedy = 'Install containerd and start it.' }: Pick<RuntimeReport, 'remedy'>,
): string {
  const elsewhere = `If it listens elsewhere than at "${endpoint}", name that with "--cri-socket".`;
  return serviceRemedy(worker) ?? `${remedy} ${elsewhere}`;
}

interface ClusterFacts {
  /** `https://host:port`. */
  readonly server: string;
  readonly version: string;
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
  readonly ports: readonly NodePort[];
  readonly ownServiceRuns: boolean;
  readonly service: ServiceStatus;
  /** Why the kubelet's service is not ours to change; `undefined` where it is, or where there is none. */
  readonly foreignService: OperatorError | undefined;
  readonly leftovers: readonly string[];
  readonly resetCommand: string;
  readonly foreignPrograms: readonly string[];
  readonly swapTolerated: boolean;
  /** The kubelet that will run; `undefined` where there is none. */
  readonly kubeletVersion: string | undefined;
  /** `undefined` where no cluster is asked yet. */
  readonly cluster: ClusterFacts | undefined;
}
