import type { Phase, Step } from '@fenestra/kernel';
import {
  fetchAgent,
  installService,
  placeExecutable,
  proveHealthy,
  startService,
  stopUnlessStopped,
  writeFile,
  writeSecret,
  claimNode,
  createFolder,
  holdName,
  previousVersion,
  remove,
} from '@fenestra/steps';
import { CONFIGURATION_SECRET } from '../node/node-facts.ts';
import {
  changesService,
  type JoinFacts,
  placesProgram,
  recordsVersion,
  registersService,
  TOKEN_SECRET,
} from './join-facts.ts';

/** Folders that only the system and its administrators can enter; the program's may be shared with other programs. */
const createFolders: Phase<JoinFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan({ known, nodeName, cloud, footprint, certificates, singleUseToken, programFolderMissing, layout }) {
    const own: readonly Step[] = known
      ? []
      : [
          claimNode({ nodeName, cloud, ...footprint }),
          holdName({ nodeName, cloud, ...certificates, singleUse: singleUseToken }),
        ];
    return [...own, ...(programFolderMissing ? [createFolder({ path: layout.programFolder })] : [])];
  },
};

/** What was replaced is deleted last: until the new node works it is the rollback. */
const forgetPrevious: Phase<JoinFacts> = {
  id: 'forget-previous',
  title: 'Delete what was replaced',
  plan(facts) {
    const { layout, installedSha256, strangeConfigurationSha256, oldTokenSha256, oldVersionSha256 } = facts;
    const { known, tokenSha256 } = facts;
    return [
      ...previous(layout.agentExecutable, placesProgram(facts) ? installedSha256 : undefined),
      ...previous(layout.agentConfigFile, strangeConfigurationSha256),
      ...previous(layout.tokenFile, tokenSha256 === undefined ? undefined : oldTokenSha256),
      ...previous(layout.versionFile, recordsVersion(facts) ? oldVersionSha256 : undefined),
      // A node whose certificate turned out to be good has not used the token, and would keep it for ever.
      ...(known && tokenSha256 !== undefined ? [remove(layout.tokenFile)] : []),
    ];
  },
};

function previous(path: string, digest: string | undefined): readonly Step[] {
  return digest === undefined ? [] : [remove(previousVersion(path, digest))];
}

/** Folders come first, so they are the last to go when a join is undone: with all that the agent made in them. */
export const JOIN: readonly Phase<JoinFacts>[] = [
  createFolders,
  {
    // An agent that idles here, or waits to be restarted, must not run while it is changed.
    id: 'stop-for-change',
    title: 'Stop the service',
    plan: (facts) => (changesService(facts) ? stopUnlessStopped(facts.service, facts.spec.name) : []),
  },
  {
    // keadm installs the agent it carries, so that no download is needed; or one from elsewhere, verified.
    id: 'place-program',
    title: 'Install the program',
    plan(facts) {
      if (!placesProgram(facts)) return [];
      const { program, layout } = facts;
      const to = layout.agentExecutable;
      return program.from === 'keadm'
        ? [placeExecutable({ from: program.path, to, sha256: program.sha256 })]
        : [fetchAgent({ source: program.source, to, downloads: layout.downloadsFolder })];
    },
  },
  {
    // The configuration may hold passwords, so the journal gets its digest alone. One that is there is the operator's.
    id: 'write-configuration',
    title: 'Write the configuration',
    plan: ({ known, layout, configurationSha256: sha256 }) =>
      known ? [] : [writeSecret({ path: layout.agentConfigFile, secret: CONFIGURATION_SECRET, sha256 })],
  },
  {
    // The token waits in a private file for the agent, which blanks it once it has its certificate.
    id: 'write-token',
    title: 'Pass the token to the agent',
    plan: ({ tokenSha256: sha256, layout }) =>
      sha256 === undefined ? [] : [writeSecret({ path: layout.tokenFile, secret: TOKEN_SECRET, sha256 })],
  },
  {
    // Which version is installed, for upgrades and for people.
    id: 'record-version',
    title: 'Record the version',
    plan(facts) {
      const { program, layout } = facts;
      return recordsVersion(facts) ? [writeFile({ path: layout.versionFile, content: `${program.version}\n` })] : [];
    },
  },
  {
    // The service manager learns about the agent, and how to bring it back after a failure.
    id: 'register-service',
    title: 'Register the service',
    plan: (facts) => (registersService(facts) ? [installService({ spec: facts.spec })] : []),
  },
  {
    // The agent runs.
    id: 'start-service',
    title: 'Start the service',
    plan: (facts) =>
      facts.service.state === 'running' && !changesService(facts) ? [] : [startService({ name: facts.spec.name })],
  },
  {
    // A join is done when the cloud has the node, and not when a process runs.
    id: 'prove-healthy',
    title: 'Wait until the node has joined',
    plan(facts) {
      if (facts.healthy && !changesService(facts)) return [];
      const { spec, statusFolder: stateFolder, layout, agentKind: agent, limitSeconds, settleSeconds } = facts;
      // A node without a container runtime has joined all the same.
      const wants = 'connected';
      const { agentLogFile: logFile } = layout;
      return [proveHealthy({ service: spec.name, stateFolder, logFile, agent, wants, limitSeconds, settleSeconds })];
    },
  },
  forgetPrevious,
];
