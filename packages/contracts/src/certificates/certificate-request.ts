import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';

/** The headers of a request for a certificate, in lower case as Node.js gives received ones. */
const CERTIFICATE_HEADERS = {
  authorization: 'authorization',
  nodeName: 'nodename',
  keyUsages: 'extkeyusages',
} as const;

/** What a certificate may be used for, by the numbers Go gives it. */
const KEY_USAGES = { serverAuth: 1, clientAuth: 2 } as const;
export type KeyUsage = keyof typeof KEY_USAGES;

/** What the headers of a request for a certificate say. The body is the request itself (PKCS#10, DER). */
export interface CertificateRequestHeaders {
  readonly nodeName: string;
  readonly keyUsages: readonly KeyUsage[];
  /** The join token's JWT; absent when the caller's certificate is its proof. */
  readonly bearer?: string;
}

/** Node side: the headers to ask for a certificate with. A client's certificate is what one gets without asking. */
export function certificateRequestHeaders(request: CertificateRequestHeaders): Record<string, string> {
  const { nodeName, keyUsages, bearer } = request;
  const numbers = keyUsages.map((usage) => KEY_USAGES[usage]);
  return {
    NodeName: nodeName,
    ...(isDefault(keyUsages) ? {} : { ExtKeyUsages: JSON.stringify(numbers) }),
    ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
  };
}

/** Cloud side: reads the headers of a request, or throws `CERTIFICATE_INVALID`, or `TOKEN_INVALID` for a bad bearer. */
export function readCertificateRequestHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): CertificateRequestHeaders {
  const nodeName = single(headers[CERTIFICATE_HEADERS.nodeName]);
  if (nodeName === undefined || nodeName === '') throw refused('the header "NodeName" is missing');
  const bearer = readBearer(single(headers[CERTIFICATE_HEADERS.authorization]));
  const keyUsages = readKeyUsages(single(headers[CERTIFICATE_HEADERS.keyUsages]));
  return { nodeName, keyUsages, ...(bearer === undefined ? {} : { bearer }) };
}

const UsageNumbers = z.array(z.int()).check(z.minLength(1), z.maxLength(16));

function isDefault(keyUsages: readonly KeyUsage[]): boolean {
  return keyUsages.length === 1 && keyUsages[0] === 'clientAuth';
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const [scheme, bearer, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() === 'bearer' && bearer && rest.length === 0) return bearer;
  throw new OperatorError('TOKEN_INVALID', 'Cannot read the header "Authorization"', {
    hint: 'Send "Bearer" and the three last parts of the join token.',
  });
}

function readKeyUsages(header: string | undefined): readonly KeyUsage[] {
  if (header === undefined || header === '') return ['clientAuth'];
  const numbers = UsageNumbers.safeParse(parse(header));
  if (!numbers.success) throw refused('the header "ExtKeyUsages" is not a list of numbers');
  return [...new Set(numbers.data)].map(usageOf);
}

function usageOf(number: number): KeyUsage {
  if (number === KEY_USAGES.serverAuth) return 'serverAuth';
  if (number === KEY_USAGES.clientAuth) return 'clientAuth';
  throw refused(`the key usage ${number} is not given to nodes`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(reason: string): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', `Cannot read the request for a certificate: ${reason}`, {
    hint: 'Compare the versions of cloud and node.',
  });
}

/** The organization of every node's certificate. */
export const NODE_ORGANIZATION = 'system:nodes';

/** The identity certificates of old carry, whichever node they are on. */
export const LEGACY_SUBJECT = { organization: 'KubeEdge', commonName: 'kubeedge.io' } as const;

const NODE_USER_PREFIX = 'system:node:';

/** Who a certificate is for. A name with several organizations is not a node's. */
interface CertificateSubject {
  readonly organization: string;
  readonly commonName: string;
}

/** The distinguished name upstream's agent asks for, in its order. Only O and CN mean something. */
export function nodeRequestSubject(nodeName: string): readonly (readonly [attribute: string, value: string])[] {
  return [
    ['C', 'CN'],
    ['O', NODE_ORGANIZATION],
    ['L', 'Hangzhou'],
    ['ST', 'Zhejiang'],
    ['CN', nodeCommonName(nodeName)],
  ];
}

/** The common name of a node's certificate. */
export function nodeCommonName(nodeName: string): string {
  return `${NODE_USER_PREFIX}${nodeName}`;
}

/** The node a certificate speaks for; undefined if it is not a node's. */
export function nodeNameOf({ organization, commonName }: CertificateSubject): string | undefined {
  if (organization !== NODE_ORGANIZATION || !commonName.startsWith(NODE_USER_PREFIX)) return undefined;
  return commonName.slice(NODE_USER_PREFIX.length) || undefined;
}
