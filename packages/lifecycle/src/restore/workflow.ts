import { dirname, join } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import {
  armGuardIf,
  claimNode,
  createFolder,
  disarmGuard,
  installService,
  previousVersion,
  proveHealthy,
  remove,
  startService,
  stopUnlessStopped,
  unpackBackup,
  DATABASE_COMPANIONS,
  placeExecutable,
  placeFile,
  unpackedPath,
} from '@fenestra/steps';
import { guardOf } from '../node/guard.ts';
import { changedFiles, changesNode, stagingFolder, startsAgent, type RestoreFacts } from './facts.ts';
import type { RestoredFile } from './restored-files.ts';

/** Every file of the backup goes to its place; what was there is kept for the rollback. */
const placeFiles: Phase<RestoreFacts> = {
  id: 'place-files',
  title: 'Restore the files',
  plan: (facts) => changedFiles(facts).map((restored, index) => place(restored, stagingFolder(facts), index)),
};

function place({ file, to, sha256 }: RestoredFile, staging: string, index: number): Step {
  const from = unpackedPath(staging, file);
  if (file.role === 'executable') return placeExecutable({ from, to, sha256 });
  const keep = join(staging, `previous-${index}`);
  const companions = file.role === 'database' ? [...DATABASE_COMPANIONS] : [];
  return placeFile({ from, to, sha256, mode: file.mode, keep, companions });
}

/** Nothing of the node is touched before the whole archive is verified, and nothing is given up before the node works. */
export const RESTORE: readonly Phase<RestoreFacts>[] = [
  {
    // Everything is unpacked and verified before anything of the node is touched.
    id: 'unpack-archive',
    title: 'Unpack and verify the archive',
    plan(facts) {
      if (changedFiles(facts).length === 0) return [];
      const { archive, moves } = facts;
      return [
        unpackBackup({ archive: archive.path, sha256: archive.sha256, to: stagingFolder(facts), moves: [...moves] }),
      ];
    },
  },
  {
    // Folders that only the system and its administrators can enter. Where no node was, a failure takes all of them away again.
    id: 'create-folders',
    title: 'Create the folders',
    plan({ node, manifest, config, footprint: { folders, traces }, missingFolders }) {
      if (node.joined) return missingFolders.map((path) => createFolder({ path }));
      const claimed = [...folders, ...traces.map((path) => dirname(path))];
      return [
        claimNode({ nodeName: manifest.nodeName, cloud: config.modules.edgeHub.httpServer, folders, traces }),
        ...missingFolders.filter((path) => !claimed.includes(path)).map((path) => createFolder({ path })),
      ];
    },
  },
  armGuardIf(isGuarded, guardOf),
  {
    // No one may have the database open while another is put in its place.
    id: 'stop-service',
    title: 'Stop the service',
    plan: (facts) => (changesNode(facts) ? stopUnlessStopped(facts.node.service, facts.spec.name) : []),
  },
  placeFiles,
  {
    // The service manager learns about the agent, or about what is different now.
    id: 'register-service',
    title: 'Register the service',
    plan: ({ registeredAsWanted, spec }) => (registeredAsWanted ? [] : [installService({ spec })]),
  },
  {
    // The agent runs.
    id: 'start-service',
    title: 'Start the service',
    plan: (facts) => (startsAgent(facts) ? [startService({ name: facts.spec.name })] : []),
  },
  {
    // A restore is done when the cloud has the node again; until then what was there before can come back.
    id: 'prove-healthy',
    title: 'Verify that the node works',
    plan(facts) {
      if (!startsAgent(facts)) return [];
      const { spec, config, layout, manifest, node, wishes } = facts;
      const { limitSeconds, settleSeconds } = wishes;
      return [
        proveHealthy({
          service: spec.name,
          stateFolder: dirname(config.database.dataSource),
          logFile: layout.agentLogFile,
          agent: manifest.agent,
          wants: node.agent?.node?.ready === 'True' ? 'ready' : 'connected',
          limitSeconds,
          settleSeconds,
        }),
      ];
    },
  },
  {
    // What was kept for the rollback goes once the node works, and so does the guard.
    id: 'tidy-up',
    title: 'Tidy up',
    plan(facts) {
      const disarm = disarmGuard({ executable: facts.layout.guardExecutable });
      return [...leftovers(facts).map(remove), ...(isGuarded(facts) ? [disarm] : [])];
    },
  },
];

/** Where a node is, it has to come back. */
function isGuarded(facts: RestoreFacts): boolean {
  return facts.node.joined && changesNode(facts);
}

function leftovers(facts: RestoreFacts): readonly string[] {
  const changed = changedFiles(facts);
  if (changed.length === 0) return [];
  const programs = changed.flatMap(({ file, to, presentSha256 }) =>
    file.role === 'executable' && presentSha256 !== null ? [previousVersion(to, presentSha256)] : [],
  );
  return [stagingFolder(facts), ...programs];
}
