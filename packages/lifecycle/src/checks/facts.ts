import { setTimeout as delay } from 'node:timers/promises';
import { journalFolder, nodeLockOwner, OperatorError, type LockOwner } from '@fenestra/kernel';
import type {
  AccessControl,
  DiskFacts,
  FileStore,
  Host,
  HostFacts,
  NodeLayout,
  RecoveryPolicy,
  ServiceManager,
  ServiceStatus,
} from '@fenestra/platform';
import { GUARD_SERVICE, pathExists } from '@fenestra/steps';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import { findNodeRights, findRights, type PathRights } from './path-rights.ts';
import { askRuntime, type RuntimeFacts } from './runtime-facts.ts';

/** The ports an agent listens on, all on loopback. */
export const AGENT_PORTS: readonly number[] = [10350, 10550];
const ASK_AGAIN_MS = 200;

/** The machine that is looked at. */
export interface ExaminedMachine {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly layout: NodeLayout;
  readonly services: ServiceManager;
}

/** How the node's journals are. A reader without the rights sees `unreadable`. */
export type JournalState =
  | { readonly state: 'clean' }
  | { readonly state: 'unfinished'; readonly command: string; readonly path: string }
  | { readonly state: 'corrupt' | 'unreadable'; readonly problem: string; readonly remedy: string };

/** Everything the checks judge by. */
export interface CheckFacts {
  readonly host: HostFacts;
  readonly disk: DiskFacts;
  readonly runtime: RuntimeFacts;
  readonly busyPorts: readonly number[];
  readonly agent: ServiceStatus;
  /** The policy the agent is registered with; `undefined` where there is no agent, or the system does not say. */
  readonly agentRecovery: RecoveryPolicy | undefined;
  readonly guard: ServiceStatus;
  readonly leftovers: readonly string[];
  /** `undefined` while keadm has done nothing here. */
  readonly bookkeepingRights: PathRights | undefined;
  /** Of the node's folders and of the files in them that hold secrets, those that are there. */
  readonly nodeRights: readonly PathRights[];
  readonly journal: JournalState;
  readonly lockOwner: LockOwner | undefined;
  /** When this program was made; a clock that is behind it is wrong. */
  readonly commitTime: Date;
}

/** Looks at the machine and changes nothing. `runtimeEndpoint` is where pods are to run, if that is decided already. */
export async function gatherCheckFacts(
  machine: ExaminedMachine,
  commitTime: Date,
  runtimeEndpoint?: string,
): Promise<CheckFacts> {
  const { layout, services, access } = machine;
  const host = await machine.host.facts();
  const agent = await services.status(AGENT_SERVICE);
  return {
    host,
    disk: await machine.host.disk(layout.stateFolder),
    runtime: await askRuntime(runtimeEndpoint, layout, host),
    busyPorts: await findBusyPorts(machine.host),
    agent,
    agentRecovery: await registeredRecovery(services),
    guard: await services.status(GUARD_SERVICE),
    leftovers: agent.state === 'absent' ? await findLeftovers(layout) : [],
    bookkeepingRights: await findRights(access, layout.bookkeepingFolder),
    nodeRights: await findNodeRights(access, layout),
    journal: await journalState(machine, host.clock.now),
    lockOwner: await livingLockOwner(machine),
    commitTime,
  };
}

/** Asks twice: a program that only looks whether a port is free, as this one does, holds it for a moment. */
async function findBusyPorts(host: Host): Promise<readonly number[]> {
  const busy = await busyAmong(AGENT_PORTS, host);
  if (busy.length === 0) return busy;
  await delay(ASK_AGAIN_MS);
  return busyAmong(busy, host);
}

async function busyAmong(ports: readonly number[], host: Host): Promise<readonly number[]> {
  const free = await Promise.all(ports.map(async (port) => host.portFree(port)));
  return ports.filter((_port, index) => free[index] === false);
}

/** A system that does not give the policy back has one without delays in its answer, which is not what it will do. */
async function registeredRecovery(services: ServiceManager): Promise<RecoveryPolicy | undefined> {
  const canTell = (await services.recovery(AGENT_SERVICE)) !== undefined;
  return canTell ? (await services.read(AGENT_SERVICE))?.recovery : undefined;
}

async function findLeftovers({ configFolder, stateFolder, agentExecutable }: NodeLayout): Promise<readonly string[]> {
  const paths = [configFolder, stateFolder, agentExecutable];
  const found = await Promise.all(paths.map(pathExists));
  return paths.filter((_path, index) => found[index]);
}

async function journalState({ layout, files }: ExaminedMachine, now: Date): Promise<JournalState> {
  try {
    const [newest] = await journalFolder(layout.journalFolder, files, () => now).unfinished();
    if (newest?.plan === undefined) return { state: 'clean' };
    return { state: 'unfinished', command: newest.plan.begun.command, path: newest.path };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const state = error.code === 'JOURNAL_CORRUPT' ? 'corrupt' : 'unreadable';
    return { state, problem: error.message, remedy: error.hint };
  }
}

async function livingLockOwner({ host, layout }: ExaminedMachine): Promise<LockOwner | undefined> {
  const owner = await nodeLockOwner(layout.lockFolder).catch(() => undefined);
  return owner !== undefined && (await host.isAlive(owner)) ? owner : undefined;
}
