import type { Phase } from '@fenestra/kernel';
import type { ClearFolder } from '@fenestra/steps';
import type { KubeResetFacts } from '../reset-facts.ts';

/** Identity, configuration, state, programs and record: what is the worker's, and nothing beside it. */
export const deleteFiles: Phase<KubeResetFacts> = {
  id: 'delete-files',
  title: "Delete the worker's files",
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
