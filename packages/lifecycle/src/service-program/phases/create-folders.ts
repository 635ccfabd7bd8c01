import type { Phase } from '@fenestra/kernel';
import type { ClaimFolders, CreateFolder } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** Folders that only the system and its administrators can enter. Undone, the program's own goes with all that is in it. */
export const createFolders: Phase<ServiceFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan: ({ missingFolders, wanted: { stateFolder } }) =>
    missingFolders.map((path): ClaimFolders | CreateFolder =>
      path === stateFolder ? { kind: 'claim-folders', folders: [path] } : { kind: 'create-folder', path },
    ),
};
