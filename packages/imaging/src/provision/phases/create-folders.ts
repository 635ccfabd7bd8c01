import type { Phase } from '@fenestra/kernel';
import type { CreateFolder } from '@fenestra/steps';
import type { ProvisionFacts } from '../provision-facts.ts';

/** Folders that only the system and its administrators can enter, before anything is put into them. */
export const createFolders: Phase<ProvisionFacts> = {
  id: 'create-image-folders',
  title: 'Create the folders',
  plan: ({ missingFolders }) => missingFolders.map((path): CreateFolder => ({ kind: 'create-folder', path })),
};
