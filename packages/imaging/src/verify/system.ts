import { fail, pass, skip } from '@fenestra/session';
import type { ImageSystem } from '../image/config.ts';
import { type ImageCheck, PROVISION_AGAIN } from './image-state.ts';

const BUILDS: Readonly<Record<ImageSystem, number>> = { '2019': 17_763, '2022': 20_348, '2025': 26_100 };

export const system: ImageCheck = {
  name: 'os-version',
  about: 'the version of the operating system is supported',
  judge({ config, build }) {
    const wanted = BUILDS[config.system];
    if (build === wanted) return pass(`Windows Server ${config.system}, build ${build}`);
    return fail(
      `Windows Server ${config.system} is build ${wanted}, but this one is ${build ?? 'not a Windows build'}`,
      'Start from the image or medium of that version, or correct the version in the file.',
    );
  },
};

export const features: ImageCheck = {
  name: 'features',
  about: 'the Containers feature (Windows) or control groups (Linux) are enabled',
  judge({ hasContainers }) {
    if (hasContainers === true) return pass('The feature "Containers" is on');
    if (hasContainers === undefined)
      return skip('Windows does not report which features are enabled', 'Check manually.');
    return fail(
      'The feature "Containers" is off',
      'Restart the machine. If the feature is still off, run "keadm image provision" again.',
    );
  },
};

export const registry: ImageCheck = {
  name: 'registry',
  about: 'the registry has the settings that the version of Windows needs',
  judge({ facts }) {
    if (facts.registry.length === 0) return pass('The registry is up to date');
    const names = facts.registry.map(({ key, name }) => `HKLM\\${key}\\${name}`);
    return fail(`Differs: ${names.join(', ')}`, PROVISION_AGAIN);
  },
};

export const searchPath: ImageCheck = {
  name: 'search-path',
  about: 'the programs are in the search path',
  judge({ facts }) {
    if (facts.searchFolders.length === 0) return pass('The programs are in the search path');
    return fail(`Not in the search path: ${facts.searchFolders.join(', ')}`, PROVISION_AGAIN);
  },
};

export const firewall: ImageCheck = {
  name: 'firewall',
  about: 'the firewall allows connections from the API server to the kubelet',
  judge({ rules }) {
    const closed = rules.filter(({ state }) => state === 'closed').map(({ rule }) => rule.name);
    if (closed.length > 0) return fail(`Closed: ${closed.join(', ')}`, PROVISION_AGAIN);
    if (rules.some(({ state }) => state === 'unknown'))
      return skip('The firewall does not report which connections it allows', 'Check manually.');
    return pass('The firewall allows the required connections');
  },
};

export const folders: ImageCheck = {
  name: 'folders',
  about: 'the folders exist that must be private from the beginning',
  judge({ facts: { missingFolders } }) {
    if (missingFolders.length === 0) return pass('The folders that a node needs exist');
    return fail(`Not there: ${missingFolders.map((path) => `"${path}"`).join(', ')}`, PROVISION_AGAIN);
  },
};

export const rights: ImageCheck = {
  name: 'rights',
  about: "other users cannot read or change keadm's own files",
  judge({ rights: found }) {
    const open = found.filter(({ problems }) => problems.length > 0);
    if (open.length === 0) return pass('Only the system and its administrators can change what it runs');
    const reasons = open.map(({ path, problems }) => `"${path}" (${problems.join('; ')})`);
    return fail(
      `Others may touch ${reasons.join(', ')}`,
      'Remove the permissions of other accounts, or start from a fresh image.',
    );
  },
};

export const provenance: ImageCheck = {
  name: 'provenance',
  about: 'the image has a provenance record that matches it',
  judge({ provenance: found, facts, layout }) {
    if (found === undefined) return fail('The image has no provenance record', PROVISION_AGAIN);
    if (!facts.provenance.isCurrent) return fail(`"${layout.provenance}" describes another image`, PROVISION_AGAIN);
    return pass(`Made by keadm ${found.keadm.version} at ${found.madeAt}; see "${layout.provenance}"`);
  },
};
