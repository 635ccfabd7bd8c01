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
import { backupOf, isInPlace, placing, stagedProgram, type UpgradeFacts } from '../facts.ts';

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

function snapshot(facts: UpgradeFacts): SnapshotDatabase {
  const { database } = facts;
  return { kind: 'snapshot-database', database, to: backupOf(facts, database) };
}

function swap(facts: UpgradeFacts): SwapExecutable {
  const { layout, current } = facts;
  return {
    kind: 'swap-executable',
    staged: stagedProgram(facts),
    to: layout.agentExecutable,
    backup: backupOf(facts, layout.agentExecutable),
    backupSha256: current.sha256,
  };
}

function restore({ restoring, layout, database, backedUp }: UpgradeFacts): readonly Step[] {
  if (restoring === undefined) return [];
  const from = (path: string): string => join(restoring.folder, path);
  const { configSha256: sha256 } = restoring;
  const present = backedUp.find((file) => file.from === layout.agentConfigFile)?.sha256 ?? null;
  const file = { from: from('edgecore.yaml'), to: layout.agentConfigFile, mode: 0o600 };
  const config = sha256 === undefined ? [] : [placing({ ...file, sha256 }, present)];
  const memory: RestoreDatabase[] = restoring.hasDatabase
    ? [{ kind: 'restore-database', copy: from('edgecore.db'), database }]
    : [];
  return [...config, ...memory];
}

function register({ wanted, registeredAsWanted }: UpgradeFacts): readonly InstallService[] {
  return registeredAsWanted ? [] : [{ kind: 'install-service', spec: wanted.spec }];
}
