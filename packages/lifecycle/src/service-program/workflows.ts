import type { Phase } from '@fenestra/kernel';
import {
  claimFolders,
  createFolder,
  installService,
  placeExecutable,
  previousVersion,
  removePath,
  removeService,
  startService,
  stopUnlessStopped,
  writeFile,
} from '@fenestra/steps';
import { changesService, type ServiceFacts } from './facts.ts';

/** The old program is given up last, so every failure before leads back to it. */
export const INSTALL_SERVICE: readonly Phase<ServiceFacts>[] = [
  {
    // Only the system and its administrators can enter them. Undone, the program's own goes with all that is in it.
    id: 'create-folders',
    title: 'Create the folders',
    plan: ({ missingFolders, wanted: { stateFolder } }) =>
      missingFolders.map((path) => (path === stateFolder ? claimFolders({ folders: [path] }) : createFolder({ path }))),
  },
  {
    // Configuration that is there already belongs to the operator.
    id: 'write-configuration',
    title: 'Write the configuration',
    plan: ({ missingFiles }) => missingFiles.map(writeFile),
  },
  {
    // A service that is going to change is stopped first: so the rollback puts the old program in place before it starts it.
    id: 'stop-for-change',
    title: 'Stop the service',
    plan: (facts) => (changesService(facts) ? stopUnlessStopped(facts.service, facts.wanted.spec.name) : []),
  },
  {
    // The running program installs itself: no download, works on an island.
    id: 'place-program',
    title: 'Install the program',
    plan({ wanted, program: { path: from, sha256 }, installedSha256 }) {
      return installedSha256 === sha256 ? [] : [placeExecutable({ from, to: wanted.spec.executable, sha256 })];
    },
  },
  {
    id: 'register-service',
    title: 'Register the service',
    plan: ({ wanted: { spec }, registeredAsWanted }) => (registeredAsWanted ? [] : [installService({ spec })]),
  },
  {
    // The service runs, and it is the program that was just put in place.
    id: 'start-service',
    title: 'Start the service',
    plan: (facts) =>
      facts.service.state === 'running' && !changesService(facts)
        ? []
        : [startService({ name: facts.wanted.spec.name })],
  },
  {
    // The replaced program is deleted only once the new one runs: until then it is the rollback.
    id: 'forget-previous',
    title: 'Delete the previous program',
    plan({ wanted: { spec, programFolder: root }, program, installedSha256 }) {
      if (installedSha256 === undefined || installedSha256 === program.sha256) return [];
      return [removePath({ path: previousVersion(spec.executable, installedSha256), root })];
    },
  },
];

/** Nothing is deleted while the service manager could still start it. */
export const REMOVE_SERVICE: readonly Phase<ServiceFacts>[] = [
  {
    id: 'stop-service',
    title: 'Stop the service',
    plan: ({ wanted, service }) => stopUnlessStopped(service, wanted.spec.name),
  },
  {
    id: 'unregister-service',
    title: 'Remove the service',
    plan: ({ wanted, service }) => (service.state === 'absent' ? [] : [removeService({ name: wanted.spec.name })]),
  },
  {
    // Configuration and state stay for the next program.
    id: 'delete-program',
    title: 'Delete the program',
    plan: ({ wanted: { spec, programFolder: root }, installedSha256 }) =>
      installedSha256 === undefined ? [] : [removePath({ path: spec.executable, root })],
  },
];
