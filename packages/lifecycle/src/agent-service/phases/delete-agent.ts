import type { Phase, Step } from '@fenestra/kernel';
import type { RemovePath } from '@fenestra/steps';
import type { AgentFacts } from '../facts.ts';

/** The program goes; configuration and state stay for the next agent. */
export const deleteAgent: Phase<AgentFacts> = {
  id: 'delete-agent',
  title: 'Delete the agent',
  plan({ layout, installed }): readonly Step[] {
    if (installed === undefined) return [];
    const step: RemovePath = {
      kind: 'remove-path',
      path: layout.agentExecutable,
      root: layout.agentFolder,
      pointOfNoReturn: true,
    };
    return [step];
  },
};
