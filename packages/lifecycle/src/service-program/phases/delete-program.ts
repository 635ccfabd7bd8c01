import type { Phase } from '@fenestra/kernel';
import type { RemovePath } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** The program goes; configuration and state stay for the next one. */
export const deleteProgram: Phase<ServiceFacts> = {
  id: 'delete-program',
  title: 'Delete the program',
  plan({ wanted, installedSha256 }) {
    if (installedSha256 === undefined) return [];
    const step: RemovePath = {
      kind: 'remove-path',
      path: wanted.spec.executable,
      root: wanted.programFolder,
      pointOfNoReturn: true,
    };
    return [step];
  },
};
