import type { Phase, Step } from '@fenestra/kernel';
import type {
  InstallService,
  RestoreDatabase,
  SnapshotDatabase,
  StartService,
  StopService,
  SwapExecutable,
} from '@fenestra/steps';
import { join } from 'node:path';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import { BACKUP_NAMES, backedUpProgram, isInPlace, stagedProgram, type UpgradeFacts } from '../facts.ts';
import { placing } from '../placing.ts';

/** The time the node is away: nothing happens in here that could have been done before or can wait. */
export const exchangeProgram: Phase<UpgradeFacts> = {
  id: 'exchange-program',
  title: 'Exchange the program',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const stop: StopService = { kind: 'stop-service', name: AGENT_SERVICE };
    const start: StartService = { kind: 'start-service', name: AGENT_SERVICE };
    return [stop, snapshot(facts), swap(facts), ...restore(facts), ...register(facts), start];
  },
};

function snapshot({ database, backupFolder }: UpgradeFacts): SnapshotDatabase {
  return { kind: 'snapshot-database', database, to: join(backupFolder, BACKUP_NAMES.database) };
}

function swap(facts: UpgradeFacts): SwapExecutable {
  const { layout, current } = facts;
  return {
    kind: 'swap-executable',
    staged: stagedProgram(facts),
    to: layout.agentExecutable,
    backup: backedUpProgram(facts),
    backupSha256: current.sha256,
  };
}

function restore({ restoring, layout, database, configSha256: replacedSha256 }: UpgradeFacts): readonly Step[] {
  if (restoring === undefined) return [];
  const from = (name: string): string => join(restoring.folder, name);
  const { configSha256: sha256 } = restoring;
  const file = { mode: 0o600, replacedSha256 };
  const config =
    sha256 === undefined ? [] : [placing(from(BACKUP_NAMES.config), layout.agentConfigFile, { ...file, sha256 })];
  const memory: RestoreDatabase[] = restoring.hasDatabase
    ? [{ kind: 'restore-database', copy: from(BACKUP_NAMES.database), database }]
    : [];
  return [...config, ...memory];
}

function register({ wanted, registeredAsWanted }: UpgradeFacts): readonly InstallService[] {
  return registeredAsWanted ? [] : [{ kind: 'install-service', spec: wanted.spec }];
}
