import { parseJoinToken, type EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { NodeFacts } from '../node/node-facts.ts';
import { hasIdentity } from './node-identity.ts';

/** A node that is there already, and what it would join with. */
export interface KnownNode {
  readonly node: Pick<NodeFacts, 'agent' | 'agentKind'>;
  readonly config: EdgecoreConfig;
}

/** What an agent says whose certificate does not help it. */
const REFUSALS: readonly string[] = ['CERTIFICATE_REJECTED', 'TOKEN_INVALID', 'HUB_UNTRUSTED'];

/**
 * The token that a node which is there already gets. One that has a certificate needs none; one that has lost it, or
 * whose cloud refuses it, cannot do without. An agent that does not run cannot say which it is, so it gets what there is.
 */
export async function tokenForKnown(
  { node: { agent, agentKind }, config }: KnownNode,
  given: string | undefined,
  now: Date,
): Promise<string | undefined> {
  const isRefused = REFUSALS.includes(agent?.problem?.code ?? '');
  if (isRefused || !(await hasIdentity(config, now))) return requireToken(given);
  const isSilent = agent === undefined && agentKind === 'fenestra';
  return isSilent && given !== undefined ? requireToken(given) : undefined;
}

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
