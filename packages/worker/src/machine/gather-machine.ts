import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import {
  digestIfAny,
  type HostFacts,
  pathExists,
  type ServiceManager,
  type ServiceSpec,
  type ServiceStatus,
  type WorkerLayout,
} from '@fenestra/platform';
import { hasDigest, PROGRAM_NAMES, type ProgramName, programVersion } from '@fenestra/releases';
import { KUBELET_SERVICE, kubeletService } from '../kubelet/kubelet-service.ts';
import { readRecord, type WorkerRecord } from '../worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';

/** A program of Kubernetes that is in its place. */
export interface InstalledProgram {
  readonly name: ProgramName;
  readonly path: string;
  readonly sha256: string;
  /** `undefined` where it does not say. */
  readonly version: string | undefined;
  /** Whether keadm placed it, and no one has changed it since. */
  readonly ours: boolean;
}

/** A machine as it is found, as far as every workflow of a worker's life wants to know it. */
export interface WorkerMachine {
  readonly host: HostFacts;
  readonly layout: WorkerLayout;
  readonly record: WorkerRecord | undefined;
  readonly programs: readonly InstalledProgram[];
  readonly service: ServiceStatus;
  readonly spec: ServiceSpec | undefined;
  readonly wantedSpec: ServiceSpec;
  readonly registered: boolean;
  readonly foreignService: OperatorError | undefined;
  /** Whether there is a kubelet's identity: some join was here. */
  readonly hasIdentity: boolean;
}

/** Looks at the machine and changes nothing. */
export async function gatherMachine(session: WorkerSession, signal: AbortSignal): Promise<WorkerMachine> {
  const { host, ports, worker: layout } = session;
  const record = await readRecord(layout.recordFile);
  const spec = await ports.services.read(KUBELET_SERVICE);
  const wantedSpec = await wantedService(session);
  return {
    host: await host.facts(),
    layout,
    record,
    programs: await installedPrograms(layout, record, signal),
    service: await ports.services.status(KUBELET_SERVICE),
    spec,
    wantedSpec,
    registered: await isRegistered(ports.services, wantedSpec),
    foreignService: foreignService(spec, wantedSpec, ports.services),
    hasIdentity: await pathExists(layout.kubeconfig),
  };
}

/** The program of this name that is in place, if one is. */
export function installed(
  { programs }: Pick<WorkerMachine, 'programs'>,
  name: ProgramName,
): InstalledProgram | undefined {
  return programs.find((program) => program.name === name);
}

async function wantedService({ worker, workerFacts, root }: WorkerSession): Promise<ServiceSpec> {
  return kubeletService({ layout: worker, facts: await workerFacts(), root });
}

async function installedPrograms(
  layout: WorkerLayout,
  record: WorkerRecord | undefined,
  signal: AbortSignal,
): Promise<readonly InstalledProgram[]> {
  const found = await Promise.all(PROGRAM_NAMES.map(async (name) => lookAtProgram(name, { layout, record }, signal)));
  return found.filter((program) => program !== undefined);
}

async function lookAtProgram(
  name: ProgramName,
  { layout, record }: { readonly layout: WorkerLayout; readonly record: WorkerRecord | undefined },
  signal: AbortSignal,
): Promise<InstalledProgram | undefined> {
  const path = programPath(layout, name);
  const sha256 = await digestIfAny(path);
  if (sha256 === null) return undefined;
  const placed = record?.programs.find((program) => program.name === name);
  const ours = placed !== undefined && (await isSame(path, sha256, placed.digest));
  const version = ours ? placed.version : await programVersion(name, path, signal).catch(() => undefined);
  return { name, path, sha256, version, ours };
}

async function isSame(path: string, sha256: string, digest: Parameters<typeof hasDigest>[1]): Promise<boolean> {
  return digest.algorithm === 'sha256' ? digest.hex === sha256 : hasDigest(path, digest);
}

/** A system that does not give a recovery policy back is believed to have the one it was given. */
async function isRegistered(services: ServiceManager, wanted: ServiceSpec): Promise<boolean> {
  const found = await services.read(wanted.name);
  if (found === undefined) return false;
  const canTell = (await services.recovery(wanted.name)) !== undefined;
  return isDeepStrictEqual(canTell ? found : { ...found, recovery: wanted.recovery }, wanted);
}

/** Where a program of Kubernetes has its place on a worker. */
export function programPath(layout: WorkerLayout, name: ProgramName): string {
  const places: Readonly<Record<ProgramName, string>> = {
    kubelet: layout.kubelet,
    'kube-proxy': layout.kubeProxy,
    kubeadm: layout.kubeadm,
  };
  return places[name];
}

/** The error for a kubelet service that keadm did not register; `undefined` for our own, or without one. */
function foreignService(
  found: ServiceSpec | undefined,
  wanted: ServiceSpec,
  services: Pick<ServiceManager, 'commandLine'>,
): OperatorError | undefined {
  // Every registration of ours has had this name, and every service manager gives it back.
  if (found === undefined || found.displayName === wanted.displayName) return undefined;
  const message = `Cannot change service "${found.name}": it was not registered by keadm and runs "${found.executable}"`;
  return new OperatorError('SERVICE_CONFLICT', message, {
    hint: `If kubeadm or a script made this machine a worker, run "keadm kube reset", which keeps that service; then remove the service or its package. "${services.commandLine('status', found.name)}" shows its origin.`,
    details: { program: found.executable },
  });
}
