import type { Phase } from '@fenestra/kernel';
import type { PlaceExecutable } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** The running program installs itself: no download, works on an island. */
export const placeProgram: Phase<ServiceFacts> = {
  id: 'place-program',
  title: 'Put the program in place',
  plan({ wanted, program, installedSha256 }) {
    if (installedSha256 === program.sha256) return [];
    const step: PlaceExecutable = {
      kind: 'place-executable',
      from: program.path,
      to: wanted.spec.executable,
      sha256: program.sha256,
    };
    return [step];
  },
};
