// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it loaded first.
import 'reflect-metadata';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { NODES, nodeUserName } from '../auth/authorizer.ts';
import { stringAt, stringsAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';

/** What a PKCS #10 request asks for. */
export interface ParsedRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly alternativeNames: readonly AlternativeName[];
  readonly request: Pkcs10CertificateRequest;
}

/** One alternative name: `dns`, `ip`, `email`, `url` and so on. */
interface AlternativeName {
  readonly type: string;
  readonly value: string;
}

const PEM = /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----[\s\S]+-----END (NEW )?CERTIFICATE REQUEST-----\s*$/;

/** Reads `spec.request`: base64 of PEM. Undefined if it is not a certificate request. The signature is not looked at. */
export function parseRequest(base64: string): ParsedRequest | undefined {
  const pem = Buffer.from(base64, 'base64').toString('utf8');
  if (!PEM.test(pem)) return undefined;
  try {
    return describe(new Pkcs10CertificateRequest(pem));
  } catch {
    return undefined;
  }
}

function describe(request: Pkcs10CertificateRequest): ParsedRequest {
  const extension = alternativeNamesOf(request);
  const [commonName = ''] = request.subjectName.getField('CN');
  return {
    commonName,
    organizations: request.subjectName.getField('O'),
    alternativeNames: extension?.names.items.map(({ type, value }) => ({ type, value })) ?? [],
    request,
  };
}

/** The extension with the alternative names, if the request has one. */
export function alternativeNamesOf(request: Pkcs10CertificateRequest): SubjectAlternativeNameExtension | undefined {
  return request.extensions.find((extension) => extension instanceof SubjectAlternativeNameExtension);
}

/** The signers this API has: a node's own certificate as a client, and as a server. */
export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

const CLIENT_USAGES = [
  ['client auth', 'digital signature'],
  ['client auth', 'digital signature', 'key encipherment'],
];
const SERVING_USAGES = [
  ['digital signature', 'server auth'],
  ['digital signature', 'key encipherment', 'server auth'],
];

/** Why a signer will not sign a request even if it is approved; undefined if it will. */
export function refusalOf(signingRequest: KubeObject, parsed: ParsedRequest): string | undefined {
  const subject = subjectRefusal(parsed);
  if (subject !== undefined) return subject;
  const signer = stringAt(signingRequest, 'spec', 'signerName');
  return signer === SERVING_SIGNER ? servingRefusal(signingRequest, parsed) : clientRefusal(signingRequest, parsed);
}

function subjectRefusal({ commonName, organizations }: ParsedRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== NODES) return `organization is not "${NODES}"`;
  const prefix = nodeUserName('');
  return commonName.startsWith(prefix) && commonName.length > prefix.length
    ? undefined
    : `subject common name does not begin with "${prefix}"`;
}

function clientRefusal(
  signingRequest: KubeObject,
  { commonName, alternativeNames }: ParsedRequest,
): string | undefined {
  if (alternativeNames.length > 0) return 'subject alternative names are not allowed';
  if (!hasUsages(signingRequest, CLIENT_USAGES)) return 'usages did not match "client auth" and "digital signature"';
  const isNode = stringsAt(signingRequest, 'spec', 'groups').includes(NODES);
  // Who is a node already may renew its own certificate and get no one else's.
  return isNode && stringAt(signingRequest, 'spec', 'username') !== commonName
    ? 'subject common name is not the name of the requesting node'
    : undefined;
}

function servingRefusal(
  signingRequest: KubeObject,
  { commonName, alternativeNames }: ParsedRequest,
): string | undefined {
  if (stringAt(signingRequest, 'spec', 'username') !== commonName) {
    return 'subject common name is not the name of the requesting node';
  }
  if (!alternativeNames.some(isAddress)) return 'a DNS name or an IP address is required';
  if (!alternativeNames.every(isAddress)) return 'only DNS names and IP addresses are allowed';
  return hasUsages(signingRequest, SERVING_USAGES)
    ? undefined
    : 'usages did not match "server auth" and "digital signature"';
}

function isAddress({ type }: AlternativeName): boolean {
  return type === 'dns' || type === 'ip';
}

function hasUsages(signingRequest: KubeObject, allowed: readonly (readonly string[])[]): boolean {
  const usages = stringsAt(signingRequest, 'spec', 'usages').toSorted().join();
  return allowed.some((set) => set.join() === usages);
}
