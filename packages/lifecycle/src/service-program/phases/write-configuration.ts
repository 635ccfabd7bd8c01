import type { Phase } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** Configuration that is there already belongs to the operator. */
export const writeConfiguration: Phase<ServiceFacts> = {
  id: 'write-configuration',
  title: 'Write the configuration',
  plan: ({ missingFiles }) =>
    missingFiles.map(({ path, content }): WriteFile => ({ kind: 'write-file', path, content })),
};
