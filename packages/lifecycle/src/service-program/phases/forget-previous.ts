import type { Phase } from '@fenestra/kernel';
import { previousVersion, type RemovePath } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** The replaced program is deleted only once the new one runs: until then it is the way back. */
export const forgetPrevious: Phase<ServiceFacts> = {
  id: 'forget-previous',
  title: 'Delete the previous program',
  plan({ wanted, program, installedSha256 }) {
    if (installedSha256 === undefined || installedSha256 === program.sha256) return [];
    const step: RemovePath = {
      kind: 'remove-path',
      path: previousVersion(wanted.spec.executable, installedSha256),
      root: wanted.programFolder,
      pointOfNoReturn: true,
    };
    return [step];
  },
};
