import { within, pathExists } from '@fenestra/platform';
import { inspectRuntime } from '@fenestra/steps';
import type { ProgramSource } from '@fenestra/releases';
import { installed, type WorkerMachine } from '../machine/gather-machine.ts';
import type { WorkerSession } from '../worker-session.ts';
import { KUBELET_PORT } from './checks/port-10250.ts';
import type { ClusterFacts, PreflightFacts } from './preflight-facts.ts';

const RUNTIME_LIMIT_MS = 15_000;

/** What a command is about to do, as far as the checks care. */
export interface Attempt {
  readonly machine: WorkerMachine;
  readonly madeAt: Date;
  readonly nodeName: string;
  readonly criSocket: string;
  /** Programs that are to be put in place. */
  readonly sources: readonly ProgramSource[];
  readonly swapTolerated: boolean;
  readonly cluster: ClusterFacts | undefined;
}

/** Asks the machine whatever the checks want to know, and changes nothing. */
export async function gatherPreflight(
  { host, worker: layout, workerFacts }: WorkerSession,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<PreflightFacts> {
  const { machine, sources, criSocket } = attempt;
  const report = await inspectRuntime(criSocket, within(RUNTIME_LIMIT_MS, signal));
  return {
    ...attempt,
    host: machine.host,
    worker: await workerFacts(),
    runtime: { ...report, endpoint: criSocket },
    kubeletPortFree: await host.portFree(KUBELET_PORT),
    service: machine.service,
    foreignService: machine.foreignService,
    leftovers: await existing([layout.kubeconfig, layout.bootstrapKubeconfig, layout.caFile]),
    strangePrograms: strangers(machine, sources),
    programDisk: await host.disk(layout.programFolder),
    programBytes: sources.reduce((sum, { size }) => sum + size, 0),
    kubeletVersion: sources.find(({ name }) => name === 'kubelet')?.version ?? installed(machine, 'kubelet')?.version,
  };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(pathExists));
  return paths.filter((_path, index) => there[index]);
}

/** A program of the same bytes is nobody's loss, whoever placed it. */
function strangers({ programs }: WorkerMachine, sources: readonly ProgramSource[]): readonly string[] {
  const replaced = programs.filter(({ name, sha256, ours, version }) => {
    const source = sources.find((candidate) => candidate.name === name);
    if (source === undefined || ours) return false;
    return source.digest.algorithm === 'sha256' ? source.digest.hex !== sha256 : source.version !== version;
  });
  return replaced.map(({ path }) => path);
}
