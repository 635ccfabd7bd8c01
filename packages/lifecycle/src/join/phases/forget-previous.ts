import type { Phase } from '@fenestra/kernel';
import { previousVersion, type RemovePath } from '@fenestra/steps';
import { dirname } from 'node:path';
import { placesProgram, type JoinFacts } from '../join-facts.ts';

/** What was replaced is deleted last: until the new node works it is the way back. */
export const forgetPrevious: Phase<JoinFacts> = {
  id: 'forget-previous',
  title: 'Delete what was replaced',
  plan(facts) {
    const { layout, installedSha256, strangeConfigurationSha256 } = facts;
    const program = placesProgram(facts) ? installedSha256 : undefined;
    return [
      ...removal(layout.agentExecutable, program),
      ...removal(layout.agentConfigFile, strangeConfigurationSha256),
    ];
  },
};

function removal(path: string, digest: string | undefined): readonly RemovePath[] {
  if (digest === undefined) return [];
  return [{ kind: 'remove-path', path: previousVersion(path, digest), root: dirname(path), pointOfNoReturn: true }];
}
