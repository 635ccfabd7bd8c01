import type { Phase } from '@fenestra/kernel';
import type { WriteSecret } from '@fenestra/steps';
import type { JoinFacts } from '../join-facts.ts';
import { TOKEN_SECRET } from '../join-secrets.ts';

/** The token waits in a private file for the agent, which blanks it once it has its certificate. */
export const writeToken: Phase<JoinFacts> = {
  id: 'write-token',
  title: 'Hand the token to the agent',
  plan({ tokenSha256, layout }) {
    if (tokenSha256 === undefined) return [];
    const step: WriteSecret = {
      kind: 'write-secret',
      path: layout.tokenFile,
      secret: TOKEN_SECRET,
      sha256: tokenSha256,
    };
    return [step];
  },
};
