import type { Phase } from '@fenestra/kernel';
import type { ClaimFolders } from '@fenestra/steps';
import type { KubeJoinFacts } from '../join-facts.ts';

/** First, so that they are the last to go when a join is undone: with all that the kubelet made in them. */
export const claimFolders: Phase<KubeJoinFacts> = {
  id: 'claim-folders',
  title: "Claim the kubelet's folders",
  plan({ joining, claimed: folders }) {
    if (joining === undefined) return [];
    const step: ClaimFolders = { kind: 'claim-folders', folders };
    return [step];
  },
};
