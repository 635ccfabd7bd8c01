import type { Phase, Step } from '@fenestra/kernel';
import { previousExecutable, type RemovePath } from '@fenestra/steps';
import type { AgentFacts } from '../facts.ts';

/** The replaced program is deleted only once the new one runs: until then it is the way back. */
export const forgetPrevious: Phase<AgentFacts> = {
  id: 'forget-previous',
  title: 'Delete the previous agent',
  plan({ layout, program, installed }): readonly Step[] {
    if (installed === undefined || installed.sha256 === program.sha256) return [];
    const step: RemovePath = {
      kind: 'remove-path',
      path: previousExecutable(layout.agentExecutable),
      root: layout.agentFolder,
      pointOfNoReturn: true,
    };
    return [step];
  },
};
