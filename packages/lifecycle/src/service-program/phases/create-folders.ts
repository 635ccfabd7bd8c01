import type { Phase } from '@fenestra/kernel';
import type { CreateFolder } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** Folders that only the system and its administrators can enter. */
export const createFolders: Phase<ServiceFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan: ({ missingFolders }) => missingFolders.map((path): CreateFolder => ({ kind: 'create-folder', path })),
};
