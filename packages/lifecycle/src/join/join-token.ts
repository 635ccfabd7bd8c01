import { parseJoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';

/** The token to join with, whose shape is right; throws `TOKEN_INVALID` if there is none or it is no token. */
export function requireToken(text: string | undefined): string {
  if (text === undefined || text.trim() === '') throw missing();
  parseJoinToken(text);
  return text.trim();
}

function missing(): OperatorError {
  return new OperatorError('TOKEN_INVALID', 'Cannot join without a token', {
    hint: 'Get one with "keadm gettoken" at the cloud, and give it by "--token-file FILE", "--token -" or KEADM_TOKEN.',
  });
}
