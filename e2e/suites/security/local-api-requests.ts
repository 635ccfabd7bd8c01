import type { HttpInput } from '../../support/security/http-fuzz.ts';
import { hostileText } from '../../support/security/mutate.ts';
import type { Random } from '../../support/security/random.ts';

const PATHS = ['/', '/version', '/readyz', '/api', '/apis', '/api/v1/pods', '/api/v1/namespaces/default/configmaps/a'];
const QUERIES = ['labelSelector', 'fieldSelector', 'resourceVersion', 'limit', 'watch', 'timeoutSeconds'];
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];

/** A request to a node's local API that no program means to send. */
export function localApiInput(random: Random): HttpInput {
  const path = `${random.pick(PATHS)}${random.chance(0.3) ? hostileText(random) : ''}`;
  const query = random.chance(0.5)
    ? `?${random.pick(QUERIES)}=${encodeURIComponent(hostileText(random).toWellFormed())}`
    : '';
  return {
    method: random.pick(METHODS),
    path: `${path}${query}`,
    headers: random.chance(0.1) ? { Accept: hostileText(random), Host: hostileText(random) } : {},
    ...(random.chance(0.1) ? { body: Buffer.from(hostileText(random)) } : {}),
  };
}
