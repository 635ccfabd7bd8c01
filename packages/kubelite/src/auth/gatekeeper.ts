// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it loaded first.
import 'reflect-metadata';
import type { X509Certificate } from 'node:crypto';
import { X509Certificate as ParsedCertificate } from '@peculiar/x509';
import type { Gatekeeper, PresentedCredentials, User } from '../objects/gatekeeper.ts';
import type { ObjectReader } from '../objects/object-service.ts';
import { bootstrapTokenUser, type StaticTokens } from '../tokens/static-tokens.ts';
import { ISSUER, type ServiceAccountTokens } from '../tokens/service-account-tokens.ts';
import { authenticated, authorize, authorizePath, nodeNameOf } from './authorizer.ts';
import { admitNode } from './node-admission.ts';

/** What the gatekeeper judges by. */
export interface GatekeeperOptions {
  readonly objects: ObjectReader;
  readonly staticTokens: StaticTokens;
  readonly accountTokens: ServiceAccountTokens;
  now(): Date;
}

// Reading a certificate takes longer than a request does, and a client keeps its own.
const REMEMBERED_CERTIFICATES = 4096;

/** Knows users by certificate or token; without one that is good, no one is anyone. */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const certificates = new Map<string, User | undefined>();
  return {
    async authenticate(credentials) {
      const user =
        knownCertificate(credentials, certificates) ?? (await tokenUser(credentials.bearerToken ?? '', options));
      return user && authenticated(user);
    },
    authorize: (user, access) => authorize(user, access, options.objects),
    authorizePath,
    admit(user, change) {
      const node = nodeNameOf(user);
      return node === undefined ? true : admitNode(node, change, options.objects);
    },
  };
}

function knownCertificate(
  { clientCertificate }: PresentedCredentials,
  known: Map<string, User | undefined>,
): User | undefined {
  if (clientCertificate === undefined) return undefined;
  const { fingerprint256 } = clientCertificate;
  if (!known.has(fingerprint256)) remember(known, fingerprint256, clientCertificate);
  return known.get(fingerprint256);
}

function remember(known: Map<string, User | undefined>, fingerprint: string, certificate: X509Certificate): void {
  if (known.size >= REMEMBERED_CERTIFICATES) known.clear();
  known.set(fingerprint, certificateUser(certificate));
}

/** Whom a bearer token is for, of whatever sort it is. */
export async function tokenUser(token: string, options: GatekeeperOptions): Promise<User | undefined> {
  if (token === '') return undefined;
  return (
    options.staticTokens.find(token) ??
    bootstrapTokenUser(token, options.objects, options.now()) ??
    (await options.accountTokens.verify(token, [ISSUER], options.objects, options.now()))
  );
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/** Who a client certificate is for: the common name is the user, organizations are groups. A serving certificate is no one. */
function certificateUser(certificate: X509Certificate): User | undefined {
  if (!certificate.keyUsage?.includes(CLIENT_AUTHENTICATION)) return undefined;
  const { subjectName } = new ParsedCertificate(certificate.raw);
  const [name] = subjectName.getField('CN');
  return name === undefined || name === '' ? undefined : { name, groups: subjectName.getField('O') };
}
