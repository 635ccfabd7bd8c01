import type { Phase } from '@fenestra/kernel';
import type { FetchProgram } from '@fenestra/steps';
import { stagedProgram, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** The new programs are fetched, proved and beside the old ones before anything stops. */
export const fetchPrograms: Phase<KubeUpgradeFacts> = {
  id: 'fetch-programs',
  title: 'Fetch and verify the new version',
  plan: ({ programs, node: { downloadsFolder: downloads } }) =>
    programs
      .filter(({ inPlace }) => !inPlace)
      .map(({ source, to: place, replacedSha256 }): FetchProgram => {
        // Where nothing is exchanged there is nothing to wait for.
        const to = replacedSha256 === undefined ? place : stagedProgram(place);
        return { kind: 'fetch-program', source, to, downloads };
      }),
};
