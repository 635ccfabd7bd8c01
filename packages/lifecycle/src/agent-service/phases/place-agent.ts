import type { Phase, Step } from '@fenestra/kernel';
import type { PlaceExecutable } from '@fenestra/steps';
import type { AgentFacts } from '../facts.ts';

/** The running program installs itself as the agent: no download, works on an island. */
export const placeAgent: Phase<AgentFacts> = {
  id: 'place-agent',
  title: 'Put the agent in place',
  plan({ layout, program, installed }): readonly Step[] {
    if (installed?.sha256 === program.sha256) return [];
    const step: PlaceExecutable = {
      kind: 'place-executable',
      from: program.path,
      to: layout.agentExecutable,
      sha256: program.sha256,
    };
    return [step];
  },
};
