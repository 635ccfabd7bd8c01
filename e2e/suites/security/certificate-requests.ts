import { CERTIFICATE_PATHS } from '@fenestra/contracts';
import type { HttpInput } from '../../support/security/http-fuzz.ts';
import { hostileText, mutateBytes } from '../../support/security/mutate.ts';
import type { Random } from '../../support/security/random.ts';

const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE'];
const PATHS = [...Object.values(CERTIFICATE_PATHS), '/node/a', '/task/a/name/b/node/c/status', '/'];
/** The DER of a certificate request, as far as its first fields. */
const REQUEST = Buffer.from('3081f43081990201003037311530130603550403130c73797374656d3a6e6f64653a78', 'hex');

/** A request to the certificate server that no agent sends. */
export function certificateInput(random: Random, bearer: string): HttpInput {
  const path = random.chance(0.7) ? random.pick(PATHS) : `${random.pick(PATHS)}${hostileText(random)}`;
  return {
    method: random.chance(0.7) ? 'GET' : random.pick(METHODS),
    path,
    headers: {
      NodeName: random.chance(0.5) ? 'fuzz-x' : hostileText(random),
      ...(random.chance(0.5) ? { Authorization: `Bearer ${random.chance(0.5) ? bearer : hostileText(random)}` } : {}),
      ...(random.chance(0.3) ? { ExtKeyUsages: random.chance(0.5) ? '[1,2]' : hostileText(random) } : {}),
    },
    ...(random.chance(0.7) ? { body: mutateBytes(random, REQUEST) } : {}),
  };
}
