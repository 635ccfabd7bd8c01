import { join } from 'node:path';
import { pointOfNoReturn, type Phase, type Step } from '@fenestra/kernel';
import {
  armGuardIf,
  discard,
  disarmGuard,
  fetchAgent,
  previousVersion,
  proveHealthy,
  recordPods,
  writeFile,
  type Proof,
  copyFile,
  createFolder,
  installService,
  restoreDatabase,
  snapshotDatabase,
  startService,
  stopService,
  swapExecutable,
} from '@fenestra/steps';
import { guardOf } from '../node/guard.ts';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import {
  isInPlace,
  stagedProgram,
  versionText,
  writesVersion,
  type UpgradeFacts,
  BACKUP_NAMES,
  backedUpProgram,
} from './facts.ts';
import { BACKUP_FILE } from './version-backup.ts';

/** What the agent has to prove after a change of version. */
export function proofOf({ node, layout, wishes, restoring }: UpgradeFacts, agent: Proof['agent']): Proof {
  return {
    service: AGENT_SERVICE,
    stateFolder: restoring?.statusFolder ?? node.statusFolder,
    logFile: layout.agentLogFile,
    agent,
    wants: node.agent?.node?.ready === 'True' ? 'ready' : 'connected',
    limitSeconds: wishes.limitSeconds,
    settleSeconds: wishes.settleSeconds,
  };
}

/** Program and configuration of the present version are kept; its database follows once no one writes to it. */
const backUpVersion: Phase<UpgradeFacts> = {
  id: 'back-up-version',
  title: 'Back up the present version',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { backupFolder, current, layout, configSha256 } = facts;
    const kept = join(backupFolder, BACKUP_NAMES.config);
    return [
      createFolder({ path: backupFolder }),
      copyFile(layout.agentExecutable, backedUpProgram(facts), { sha256: current.sha256, mode: 0o755 }),
      copyFile(layout.agentConfigFile, kept, { sha256: configSha256, mode: 0o600 }),
      writeFile({ path: join(backupFolder, BACKUP_FILE), content: `${JSON.stringify(current, undefined, 2)}\n` }),
    ];
  },
};

/** Where the pods are recorded that have to run again. */
function podsFile({ backupFolder }: Pick<UpgradeFacts, 'backupFolder'>): string {
  return join(backupFolder, BACKUP_NAMES.pods);
}

/** The time the node is away: nothing happens in here that could have been done before or can wait. */
const exchangeProgram: Phase<UpgradeFacts> = {
  id: 'exchange-program',
  title: 'Exchange the program',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { database, backupFolder, layout, current, registeredAsWanted, wanted } = facts;
    return [
      recordPods({ service: AGENT_SERVICE, stateFolder: facts.node.statusFolder, path: podsFile(facts) }),
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

/** Every failure up to the record leads back to the old version; the guard sees to it if this command cannot. */
export const CHANGE_VERSION: readonly Phase<UpgradeFacts>[] = [
  {
    // The new program is fetched, verified and beside the old one before anything stops.
    id: 'fetch-program',
    title: 'Fetch and verify the new version',
    plan(facts) {
      if (isInPlace(facts)) return [];
      const { target: source, layout } = facts;
      return [fetchAgent({ source, to: stagedProgram(facts), downloads: layout.downloadsFolder })];
    },
  },
  backUpVersion,
  armGuardIf<UpgradeFacts>((facts) => !isInPlace(facts), guardOf),
  exchangeProgram,
  {
    // A version that only runs is not good enough: it has to do for the node what the old one did.
    id: 'prove-version',
    title: 'Verify that the new version works',
    plan(facts) {
      if (isInPlace(facts)) return [];
      const pods = facts.restoring?.reportsPods === false ? {} : { podsFile: podsFile(facts) };
      return [proveHealthy({ ...proofOf(facts, facts.target.kind), ...pods })];
    },
  },
  {
    // Once this is written the new version is the node's version, and there is no automatic way back.
    id: 'record-version',
    title: 'Record the version',
    plan: (facts) =>
      writesVersion(facts)
        ? [pointOfNoReturn(writeFile({ path: facts.layout.versionFile, content: versionText(facts) }))]
        : [],
  },
  {
    // What was kept for a way back that no one needs any more goes, and so does the guard.
    id: 'tidy-up',
    title: 'Tidy up',
    plan(facts) {
      const { layout, versionFileSha256, restoring, configSha256, pruned } = facts;
      const isReplaced = versionFileSha256 !== null && writesVersion(facts);
      const version = isReplaced ? [previousVersion(layout.versionFile, versionFileSha256)] : [];
      if (isInPlace(facts)) return version.map(discard);
      const config =
        restoring?.configSha256 === undefined ? [] : [previousVersion(layout.agentConfigFile, configSha256)];
      return [...[...version, ...config, ...pruned].map(discard), disarmGuard({ executable: layout.guardExecutable })];
    },
  },
];
