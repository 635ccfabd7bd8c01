import { win32 } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import type { CreateFolder, PlaceExecutable } from '@fenestra/steps';
import type { ProvisionFacts } from '../provision-facts.ts';

/** keadm, which user-data calls by its name, and the agent of an edge node: so that a join has nothing to fetch. */
export const placeOwnPrograms: Phase<ProvisionFacts> = {
  id: 'place-own-programs',
  title: 'Place keadm and what it brings',
  plan: ({ copies }) =>
    copies
      .filter(({ sha256, installedSha256 }) => sha256 !== installedSha256)
      .flatMap(({ from, to, sha256 }) => {
        const folder: CreateFolder = { kind: 'create-folder', path: win32.dirname(to) };
        const placed: PlaceExecutable = { kind: 'place-executable', from, to, sha256 };
        return [folder, placed];
      }),
};
