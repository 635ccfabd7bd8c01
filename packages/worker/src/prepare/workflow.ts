import type { Phase } from '@fenestra/kernel';
import {
  createFolder,
  discardPrevious,
  fetchProgram,
  installService,
  openFirewall,
  placeExecutable,
  writeFile,
} from '@fenestra/steps';
import { recordText } from '../worker-record.ts';
import type { PrepareFacts } from './gather-prepare-facts.ts';

/** Folders that only the system and its administrators can enter, before anything is put into them. */
export const createFolders: Phase<PrepareFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan: ({ missingFolders }) => missingFolders.map((path) => createFolder({ path })),
};

/** The programs of Kubernetes, each proved by its checksum before it is in its place. */
export const placePrograms: Phase<PrepareFacts> = {
  id: 'place-programs',
  title: 'Install the programs',
  plan: ({ programs, node: { downloadsFolder: downloads } }) =>
    programs.filter(({ inPlace }) => !inPlace).map(({ source, to }) => fetchProgram({ source, to, downloads })),
};

/** The kubelet's service starts our own program, which reads the kubelet's arguments again each time. */
export const placeHost: Phase<PrepareFacts> = {
  id: 'place-host',
  title: 'Install the program of the service',
  plan: ({ host: { path: from, sha256, installedSha256 }, layout: { hostExecutable: to } }) =>
    installedSha256 === sha256 ? [] : [placeExecutable({ from, to, sha256 })],
};

/** The kubelet as a service of the system, which brings it back after a failure. It is not started here. */
export const registerService: Phase<PrepareFacts> = {
  id: 'register-service',
  title: 'Register the service',
  plan: ({ registered, spec }) => (registered ? [] : [installService({ spec })]),
};

/** The API server asks the kubelet for logs and shells, and comes from outside. */
export const letApiServerIn: Phase<PrepareFacts> = {
  id: 'open-firewall',
  title: 'Allow the API server in the firewall',
  plan: ({ firewall: rule }) => (rule === undefined ? [] : [openFirewall({ rule })]),
};

/** What was made, so that a reset removes that and nothing else. */
export const writeRecord: Phase<PrepareFacts> = {
  id: 'write-record',
  title: 'Record what was made',
  plan: ({ recorded, record, layout: { recordFile: path } }) =>
    recorded ? [] : [writeFile({ path, content: recordText(record) })],
};

/** What was replaced is deleted last: until everything is in place it is the rollback. */
export const forgetPrevious: Phase<PrepareFacts> = {
  id: 'forget-previous',
  title: 'Delete what was replaced',
  plan: ({ programs, host, layout, recorded, replacedRecordSha256 }) => [
    ...programs
      .filter(({ inPlace }) => !inPlace)
      .flatMap(({ to, replacedSha256 }) => discardPrevious(to, replacedSha256)),
    ...(host.installedSha256 === host.sha256 ? [] : discardPrevious(layout.hostExecutable, host.installedSha256)),
    ...(recorded ? [] : discardPrevious(layout.recordFile, replacedRecordSha256)),
  ],
};

/** Everything a worker needs but a cluster. The record comes after all that it reports. */
export const PREPARE: readonly Phase<PrepareFacts>[] = [
  createFolders,
  placePrograms,
  placeHost,
  registerService,
  letApiServerIn,
  writeRecord,
  forgetPrevious,
];
