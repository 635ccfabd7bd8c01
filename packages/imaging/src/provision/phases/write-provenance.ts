import type { Phase } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import type { ProvisionFacts } from '../provision-facts.ts';

/** What the image is made of, once it is made of it. */
export const writeProvenance: Phase<ProvisionFacts> = {
  id: 'write-provenance',
  title: 'Write down what the image is made of',
  plan({ provenance: { path, content, isCurrent } }) {
    const step: WriteFile = { kind: 'write-file', path, content };
    return isCurrent ? [] : [step];
  },
};
