import type { Phase, Step } from '@fenestra/kernel';
import { previousVersion, remove } from '@fenestra/steps';
import { placesProgram, recordsVersion, type JoinFacts } from './join-facts.ts';

/** What was replaced is deleted last: until the new node works it is the way back. */
export const forgetPrevious: Phase<JoinFacts> = {
  id: 'forget-previous',
  title: 'Delete what was replaced',
  plan(facts) {
    const { layout, installedSha256, strangeConfigurationSha256, oldTokenSha256, oldVersionSha256 } = facts;
    const { known, tokenSha256 } = facts;
    return [
      ...previous(layout.agentExecutable, placesProgram(facts) ? installedSha256 : undefined),
      ...previous(layout.agentConfigFile, strangeConfigurationSha256),
      ...previous(layout.tokenFile, tokenSha256 === undefined ? undefined : oldTokenSha256),
      ...previous(layout.versionFile, recordsVersion(facts) ? oldVersionSha256 : undefined),
      // A node whose certificate turned out to be good has not used the token, and would keep it for ever.
      ...(known && tokenSha256 !== undefined ? [remove(layout.tokenFile)] : []),
    ];
  },
};

function previous(path: string, digest: string | undefined): readonly Step[] {
  return digest === undefined ? [] : [remove(previousVersion(path, digest))];
}
