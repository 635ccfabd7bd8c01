import type { Phase } from '@fenestra/kernel';
import { previousVersion, type RemovePath } from '@fenestra/steps';
import { dirname } from 'node:path';
import { placesProgram, recordsVersion, type JoinFacts } from '../join-facts.ts';

/** What was replaced is deleted last: until the new node works it is the way back. */
export const forgetPrevious: Phase<JoinFacts> = {
  id: 'forget-previous',
  title: 'Delete what was replaced',
  plan(facts) {
    const { layout, installedSha256, strangeConfigurationSha256, oldTokenSha256, oldVersionSha256 } = facts;
    const token = facts.tokenSha256 === undefined ? undefined : oldTokenSha256;
    return [
      ...previous(layout.agentExecutable, placesProgram(facts) ? installedSha256 : undefined),
      ...previous(layout.agentConfigFile, strangeConfigurationSha256),
      ...previous(layout.tokenFile, token),
      ...previous(layout.versionFile, recordsVersion(facts) ? oldVersionSha256 : undefined),
      ...unusedToken(facts),
    ];
  },
};

function previous(path: string, digest: string | undefined): readonly RemovePath[] {
  return digest === undefined ? [] : [removal(previousVersion(path, digest))];
}

/** A node whose certificate turned out to be good has not used the token, and would keep it for ever. */
function unusedToken({ known, tokenSha256, layout }: JoinFacts): readonly RemovePath[] {
  return known && tokenSha256 !== undefined ? [removal(layout.tokenFile)] : [];
}

function removal(path: string): RemovePath {
  return { kind: 'remove-path', path, root: dirname(path), pointOfNoReturn: true };
}
