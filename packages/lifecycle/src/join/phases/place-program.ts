import type { Phase } from '@fenestra/kernel';
import type { FetchAgent, PlaceExecutable } from '@fenestra/steps';
import { placesProgram, type JoinFacts } from '../join-facts.ts';

/** keadm installs the agent it carries, so that no download is needed; or one from elsewhere, verified. */
export const placeProgram: Phase<JoinFacts> = {
  id: 'place-program',
  title: 'Put the program in place',
  plan(facts) {
    if (!placesProgram(facts)) return [];
    const { program, layout } = facts;
    const to = layout.agentExecutable;
    if (program.from === 'keadm') {
      const step: PlaceExecutable = { kind: 'place-executable', from: program.path, to, sha256: program.sha256 };
      return [step];
    }
    const step: FetchAgent = { kind: 'fetch-agent', source: program.source, to, downloads: layout.downloadsFolder };
    return [step];
  },
};
