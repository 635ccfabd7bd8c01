import { setTimeout as delay } from 'node:timers/promises';
import type { EdgecoreConfig } from '@fenestra/contracts';
import { journalFolder, nodeLockOwner, OperatorError, type LockOwner } from '@fenestra/kernel';
import {
  type AccessControl,
  type DiskFacts,
  type FileStore,
  type Host,
  type HostFacts,
  type NodeLayout,
  type RecoveryPolicy,
  type ServiceManager,
  type ServiceStatus,
  pathExists,
} from '@fenestra/platform';
import { GUARD_SERVICE } from '@fenestra/session';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import type { AgentKind } from '../node/agent-kind.ts';
import { agentPorts, type AgentPort } from './agent-ports.ts';
import { findNodeRights, findRights, type PathRights } from './path-rights.ts';
import { presentConfig } from './present-config.ts';
import { askRuntime, type RuntimeFacts } from './runtime-facts.ts';

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
  | { readonly state: 'superseded'; readonly path: string }
  | { readonly state: 'corrupt' | 'unreadable'; readonly problem: string; readonly remedy: string };

/** Everything the checks judge by. */
export interface CheckFacts {
  readonly host: HostFacts;
  readonly disk: DiskFacts;
  readonly runtime: RuntimeFacts;
  /** Where the agent listens, or would, and whether nothing else does. */
  readonly agentPorts: readonly (AgentPort & { readonly free: boolean })[];
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

/** The agent that a join is about to install. */
export interface WantedAgent {
  readonly config: EdgecoreConfig;
  readonly kind: AgentKind;
}

/** Looks at the machine and changes nothing. Without a wanted agent the configuration that is there counts, if any. */
export async function gatherCheckFacts(
  machine: ExaminedMachine,
  commitTime: Date,
  wanted?: WantedAgent,
): Promise<CheckFacts> {
  const { layout, services, access } = machine;
  const host = await machine.host.facts();
  const config = wanted?.config ?? (await presentConfig(layout, host));
  const agent = await services.status(AGENT_SERVICE);
  return {
    host,
    disk: await machine.host.disk(layout.stateFolder),
    runtime: await askRuntime(config, host),
    agentPorts:
      config === undefined ? [] : await lookAtPorts(machine.host, agentPorts(config, wanted?.kind ?? 'fenestra')),
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
async function lookAtPorts(host: Host, wanted: readonly AgentPort[]): Promise<CheckFacts['agentPorts']> {
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

async function livingLockOwner({ host, layout }: ExaminedMachine): Promise<LockOwner | undefined> {
  const owner = await nodeLockOwner(layout.lockFolder).catch(() => undefined);
  return owner !== undefined && (await host.isAlive(owner)) ? owner : undefined;
}
