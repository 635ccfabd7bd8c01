import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { edgecoreDefaults, type EdgecoreConfig, loadEdgecoreConfig } from '@fenestra/contracts';
import { journalFolder, nodeLockOwner, OperatorError, type LockOwner } from '@fenestra/kernel';
import {
  type AccessControl,
  type FileStore,
  type Host,
  type HostFacts,
  type NodeLayout,
  type RecoveryPolicy,
  type ServiceManager,
  type ServiceStatus,
  type WorkerHostFacts,
  existingPaths,
} from '@fenestra/platform';
import { GUARD_SERVICE } from '@fenestra/session';
import { type DiskSpace, type MemoryNeeds, type NodePort, serviceRemedy } from '@fenestra/session/checks';
import { inspectRuntime, readRuntimeDetails, type RuntimeReport } from '@fenestra/steps';
import type { AgentKind } from '../node/node-facts.ts';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import { agentPorts, type AgentPort } from './agent-ports.ts';
import type { JournalState } from './journal.ts';
import type { PodFacts } from './pod-checks.ts';
import { findNodeRights, findRights, type PathRights } from './rights.ts';

const ASK_AGAIN_MS = 200;
const RUNTIME_LIMIT_MS = 15_000;

const MEBIBYTE = 1024 ** 2;
/** The agent alone needs about a quarter of this. */
const MEMORY_NEEDS: MemoryNeeds = { totalBytes: 256 * MEBIBYTE, comfortableBytes: 0, freeBytes: 128 * MEBIBYTE };
/** Two versions of the program, a backup and a database must fit at the same time. */
const DISK_NEEDS = { neededBytes: 1024 * MEBIBYTE, comfortableBytes: 4096 * MEBIBYTE };

/** The machine that is examined. */
export interface ExaminedMachine {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly layout: NodeLayout;
  readonly services: ServiceManager;
  readonly workerFacts: () => Promise<WorkerHostFacts>;
}

/** What the checks of a machine need, whether or not it is a node already. */
export interface MachineFacts extends PodFacts {
  readonly host: HostFacts;
  readonly madeAt: Date;
  readonly memoryNeeds: MemoryNeeds;
  readonly space: DiskSpace;
  /** Where the agent listens, or would. */
  readonly ports: readonly NodePort[];
  readonly ownServiceRuns: boolean;
  readonly agent: ServiceStatus;
  readonly agentRecovery: RecoveryPolicy | undefined;
  readonly guard: ServiceStatus;
  readonly leftovers: readonly string[];
  readonly resetCommand: string;
  readonly bookkeepingRights: PathRights | undefined;
  readonly nodeRights: readonly PathRights[];
  readonly journal: JournalState;
  readonly lockOwner: LockOwner | undefined;
}

/** The agent that a join is about to install. */
export interface WantedAgent {
  readonly config: EdgecoreConfig;
  readonly kind: AgentKind;
}

/** Looks at the machine and changes nothing. Without a wanted agent, the configuration that is there counts, if any. */
export async function gatherMachineFacts(
  machine: ExaminedMachine,
  madeAt: Date,
  wanted?: WantedAgent,
): Promise<MachineFacts> {
  const { layout, services, access } = machine;
  const host = await machine.host.facts();
  const config = wanted?.config ?? (await presentConfig(layout, host));
  const agent = await services.status(AGENT_SERVICE);
  return {
    host,
    madeAt,
    memoryNeeds: MEMORY_NEEDS,
    space: { disk: await machine.host.disk(layout.stateFolder), ...DISK_NEEDS },
    ...(await podFacts(machine, { config, host, isJoined: agent.state !== 'absent' })),
    ports: config === undefined ? [] : await lookAtPorts(machine.host, agentPorts(config, wanted?.kind ?? 'fenestra')),
    ownServiceRuns: agent.state === 'running',
    agent,
    agentRecovery: await registeredRecovery(services),
    guard: await services.status(GUARD_SERVICE),
    leftovers: agent.state === 'absent' ? await findLeftovers(layout) : [],
    resetCommand: 'keadm reset',
    bookkeepingRights: await findRights(access, layout.bookkeepingFolder),
    nodeRights: await findNodeRights(access, layout),
    journal: await journalState(machine, host.clock.now),
    lockOwner: await liveLockOwner(machine),
  };
}

/** The configuration in place; `undefined` if there is none, or none that can be read and used. */
export async function presentConfig(
  { agentConfigFile }: NodeLayout,
  { os, hostName }: HostFacts,
): Promise<EdgecoreConfig | undefined> {
  const text = await readFile(agentConfigFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return loadEdgecoreConfig(text, agentConfigFile, os, { hostName, cloudAddress: '127.0.0.1' }).config;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

/** Asks the configured runtime, or else the likely one. Docker's own socket is of no use to an agent. */
async function podFacts(
  { workerFacts }: ExaminedMachine,
  {
    config,
    host: { os, runtimes },
    isJoined,
  }: { readonly config: EdgecoreConfig | undefined; readonly host: HostFacts; readonly isJoined: boolean },
): Promise<PodFacts> {
  const { edged } = (config ?? edgecoreDefaults(os)).modules;
  const found = runtimes.find(({ runtime }) => runtime !== 'docker')?.endpoint;
  const { containerRuntimeEndpoint, cgroupDriver, failSwapOn } = edged.tailoredKubeletConfig;
  const endpoint = config === undefined && found !== undefined ? found : containerRuntimeEndpoint;
  const worker = await workerFacts();
  const signal = AbortSignal.timeout(RUNTIME_LIMIT_MS);
  const report: RuntimeReport = edged.enable ? await inspectRuntime(endpoint, signal) : { usable: false };
  return {
    runsPods: edged.enable,
    worker,
    runtime: { ...report, endpoint, remedy: remedyOf(worker, report) },
    details: report.usable ? await readRuntimeDetails(endpoint, signal) : undefined,
    cgroupDriver,
    swapTolerated: !failSwapOn,
    isJoined,
  };
}

/** Where nothing answers, there may be no runtime on purpose. */
function remedyOf(worker: WorkerHostFacts, { version, remedy }: RuntimeReport): string {
  if (version !== undefined) return remedy ?? 'Read its log and fix the cause.';
  const start = serviceRemedy(worker) ?? remedy ?? 'Install containerd and start it.';
  return `${start} For a node without pods, set "modules.edged.enable=false".`;
}

/** Asks twice: a program that only looks whether a port is free, as this one does, holds it for a moment. */
async function lookAtPorts(host: Host, wanted: readonly AgentPort[]): Promise<readonly NodePort[]> {
  const numbers = wanted.map(({ port }) => port);
  const busyAtFirst = await busyAmong(numbers, host);
  if (busyAtFirst.length > 0) await delay(ASK_AGAIN_MS);
  const busy = await busyAmong(busyAtFirst, host);
  return wanted.map((port) => ({ ...port, free: !busy.includes(port.port) }));
}

async function busyAmong(ports: readonly number[], host: Host): Promise<readonly number[]> {
  const free = await Promise.all(ports.map(async (port) => host.portFree(port)));
  return ports.filter((_port, index) => free[index] === false);
}

/** A system that does not report the policy has one without delays in its answer, which is not what it does. */
async function registeredRecovery(services: ServiceManager): Promise<RecoveryPolicy | undefined> {
  const isReported = (await services.recovery(AGENT_SERVICE)) !== undefined;
  return isReported ? (await services.read(AGENT_SERVICE))?.recovery : undefined;
}

async function findLeftovers({ configFolder, stateFolder, agentExecutable }: NodeLayout): Promise<readonly string[]> {
  const paths = [configFolder, stateFolder, agentExecutable];
  return existingPaths(paths);
}

async function journalState({ layout, files }: ExaminedMachine, now: Date): Promise<JournalState> {
  try {
    const journals = journalFolder(layout.journalFolder, files, () => now);
    const [open] = await journals.unfinished();
    if (open?.plan !== undefined) return { state: 'unfinished', command: open.plan.begun.command, path: open.path };
    const [superseded] = await journals.superseded();
    return superseded === undefined ? { state: 'clean' } : { state: 'superseded', path: superseded.path };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const state = error.code === 'JOURNAL_CORRUPT' ? 'corrupt' : 'unreadable';
    return { state, problem: error.message, remedy: error.hint };
  }
}

async function liveLockOwner({ host, layout }: ExaminedMachine): Promise<LockOwner | undefined> {
  const owner = await nodeLockOwner(layout.lockFolder).catch(() => undefined);
  return owner !== undefined && (await host.isAlive(owner)) ? owner : undefined;
}
