import type { Phase } from '@fenestra/kernel';
import type { FetchProgram } from '@fenestra/steps';
import type { PrepareFacts } from '../prepare-facts.ts';

/** The programs of Kubernetes, each proved by its checksum before it is in its place. */
export const placePrograms: Phase<PrepareFacts> = {
  id: 'place-programs',
  title: 'Put the programs in place',
  plan: ({ programs, node: { downloadsFolder: downloads } }) =>
    programs
      .filter(({ inPlace }) => !inPlace)
      .map(({ source, to }): FetchProgram => ({ kind: 'fetch-program', source, to, downloads })),
};
