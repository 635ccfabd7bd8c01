import type { Phase } from '@fenestra/kernel';
import type { ClearFolder } from '@fenestra/steps';
import type { ResetFacts } from '../facts.ts';

/** Certificates, data, configuration, logs and the program: what is the node's, and nothing beside it. */
export const deleteFiles: Phase<ResetFacts> = {
  id: 'delete-files',
  title: "Delete the node's files",
  plan: ({ folders }) =>
    folders
      .filter(({ goes, vanishes }) => goes.length > 0 || vanishes)
      .map(({ path, names, own }): ClearFolder => ({
        kind: 'clear-folder',
        folder: path,
        names,
        removeFolder: own,
        pointOfNoReturn: true,
      })),
};
