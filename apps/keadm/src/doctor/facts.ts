import { journalFolder, nodeLockOwner, OperatorError, type LockOwner } from '@fenestra/kernel';
import { AGENT_SERVICE } from '@fenestra/lifecycle';
import type { AccessReport, DiskFacts, HostFacts, ServiceStatus } from '@fenestra/platform';
import { pathExists } from '@fenestra/steps';
import type { KeadmEnvironment, KeadmPlatform } from '../platform.ts';

/** The ports an agent listens on, all on loopback. */
export const AGENT_PORTS: readonly number[] = [10350, 10550];

/** How the node's journals are. A reader without the rights sees `unreadable`. */
export type JournalState =
  | { readonly state: 'clean' }
  | { readonly state: 'unfinished'; readonly command: string; readonly path: string }
  | { readonly state: 'corrupt' | 'unreadable'; readonly problem: string; readonly remedy: string };

/** Everything the checks judge by. */
export interface DoctorFacts {
  readonly host: HostFacts;
  readonly disk: DiskFacts;
  readonly busyPorts: readonly number[];
  readonly agent: ServiceStatus;
  readonly leftovers: readonly string[];
  /** `undefined` while keadm has done nothing here; `unreadable` for whoever may not look. */
  readonly bookkeepingRights: AccessReport | 'unreadable' | undefined;
  readonly journal: JournalState;
  readonly lockOwner: LockOwner | undefined;
  readonly commitTime: Date;
}

/** Looks at the machine and changes nothing. */
export async function gatherDoctorFacts(environment: KeadmEnvironment, platform: KeadmPlatform): Promise<DoctorFacts> {
  const { host, layout, services } = platform;
  const agent = await services.status(AGENT_SERVICE);
  return {
    host: await host.facts(),
    disk: await host.disk(layout.stateFolder),
    busyPorts: await findBusyPorts(platform),
    agent,
    leftovers:
      agent.state === 'absent'
        ? await findExisting([layout.configFolder, layout.stateFolder, layout.agentExecutable])
        : [],
    bookkeepingRights: await rightsOf(platform, layout.bookkeepingFolder),
    journal: await journalState(platform, environment.now),
    lockOwner: await livingLockOwner(platform),
    commitTime: new Date(environment.commitTime),
  };
}

async function findBusyPorts({ host }: KeadmPlatform): Promise<readonly number[]> {
  const free = await Promise.all(AGENT_PORTS.map(async (port) => host.portFree(port)));
  return AGENT_PORTS.filter((_port, index) => free[index] === false);
}

async function findExisting(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(pathExists));
  return paths.filter((_path, index) => found[index]);
}

async function rightsOf({ access }: KeadmPlatform, path: string): Promise<DoctorFacts['bookkeepingRights']> {
  if (!(await pathExists(path))) return undefined;
  return access.inspect(path).catch((error: unknown) => {
    if (error instanceof OperatorError && error.code === 'ACCESS_DENIED') return 'unreadable';
    throw error;
  });
}

async function journalState({ layout, files }: KeadmPlatform, now: () => Date): Promise<JournalState> {
  try {
    const [newest] = await journalFolder(layout.journalFolder, files, now).unfinished();
    if (newest?.plan === undefined) return { state: 'clean' };
    return { state: 'unfinished', command: newest.plan.begun.command, path: newest.path };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const state = error.code === 'JOURNAL_CORRUPT' ? 'corrupt' : 'unreadable';
    return { state, problem: error.message, remedy: error.hint };
  }
}

async function livingLockOwner({ host, layout }: KeadmPlatform): Promise<LockOwner | undefined> {
  const owner = await nodeLockOwner(layout.lockFolder).catch(() => undefined);
  return owner !== undefined && (await host.isAlive(owner)) ? owner : undefined;
}
