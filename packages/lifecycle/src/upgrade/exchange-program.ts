import type { Phase, Step } from '@fenestra/kernel';
import {
  copyFile,
  installService,
  restoreDatabase,
  snapshotDatabase,
  startService,
  stopService,
  swapExecutable,
} from '@fenestra/steps';
import { join } from 'node:path';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import { BACKUP_NAMES, backedUpProgram, isInPlace, stagedProgram, type UpgradeFacts } from './facts.ts';

/** The time the node is away: nothing happens in here that could have been done before or can wait. */
export const exchangeProgram: Phase<UpgradeFacts> = {
  id: 'exchange-program',
  title: 'Exchange the program',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { database, backupFolder, layout, current, registeredAsWanted, wanted } = facts;
    return [
      stopService({ name: AGENT_SERVICE }),
      snapshotDatabase({ database, to: join(backupFolder, BACKUP_NAMES.database) }),
      swapExecutable({
        staged: stagedProgram(facts),
        to: layout.agentExecutable,
        backup: backedUpProgram(facts),
        backupSha256: current.sha256,
      }),
      ...restore(facts),
      ...(registeredAsWanted ? [] : [installService({ spec: wanted.spec })]),
      startService({ name: AGENT_SERVICE }),
    ];
  },
};

function restore({ restoring, layout, database, configSha256: replacedSha256 }: UpgradeFacts): readonly Step[] {
  if (restoring === undefined) return [];
  const from = (name: string): string => join(restoring.folder, name);
  const { configSha256: sha256 } = restoring;
  const file = { mode: 0o600, replacedSha256 };
  const config =
    sha256 === undefined ? [] : [copyFile(from(BACKUP_NAMES.config), layout.agentConfigFile, { ...file, sha256 })];
  const memory = restoring.hasDatabase ? [restoreDatabase({ copy: from(BACKUP_NAMES.database), database })] : [];
  return [...config, ...memory];
}
