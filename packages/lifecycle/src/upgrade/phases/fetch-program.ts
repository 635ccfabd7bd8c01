import type { Phase } from '@fenestra/kernel';
import type { FetchAgent } from '@fenestra/steps';
import { isInPlace, stagedProgram, type UpgradeFacts } from '../facts.ts';

/** The new program is fetched, verified and beside the old one before anything stops. */
export const fetchProgram: Phase<UpgradeFacts> = {
  id: 'fetch-program',
  title: 'Fetch and verify the new version',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { target, layout } = facts;
    const step: FetchAgent = {
      kind: 'fetch-agent',
      source: target,
      to: stagedProgram(facts),
      downloads: layout.downloadsFolder,
    };
    return [step];
  },
};
