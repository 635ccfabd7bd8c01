import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { BootstrapToken } from '@fenestra/contracts/kube';
import { OperatorError, parseJson, systemCodeOf } from '@fenestra/kernel';
import { isJsonObject, objectAt, refusedError } from '@fenestra/kube-api';
import { throwIfAborted, within } from '@fenestra/platform';

const PATH = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const ANSWER_MS = 10_000;
const STRANGERS_REFUSED: readonly number[] = [401, 403];
const LONGEST_ANSWER_BYTES = 4 * 1024 * 1024;

/** What vouches for anyone who answers: a CA (PEM), or nothing, where the answer proves itself. */
export type Voucher = { readonly ca: string } | 'nothing';

/** What a cluster tells unknown clients about itself: the texts of its ConfigMap `cluster-info`. Asked once, as no one. */
export async function fetchClusterInfo(
  server: URL,
  voucher: Voucher,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  try {
    const response = await ask(server, voucher, within(ANSWER_MS, signal));
    const body = await readBody(response);
    if (STRANGERS_REFUSED.includes(response.statusCode ?? 0)) throw closedToStrangers(server.host);
    if (response.statusCode !== 200) throw refusedError(ACTION, response.statusCode ?? 0, body);
    return textsOf(server, body);
  } catch (error) {
    throwIfAborted(`asking the cluster at "${server.host}"`, signal);
    throw error instanceof OperatorError ? error : (asUntrusted(server.host, error) ?? unreachable(server.host, error));
  }
}

const ACTION = 'read ConfigMap "kube-public/cluster-info"';

async function ask(server: URL, voucher: Voucher, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const trust = voucher === 'nothing' ? { rejectUnauthorized: false } : { ca: voucher.ca };
  const headers = { accept: 'application/json', 'user-agent': 'fenestra' };
  // Never by way of a shared agent: a connection that no one vouched for must not be used again for one that counts.
  const sent = request(new URL(PATH, server), { ...trust, headers, agent: false, signal });
  sent.on('response', resolve).on('error', reject).end();
  return promise;
}

async function readBody(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    if (!Buffer.isBuffer(piece)) continue;
    length += piece.length;
    if (length > LONGEST_ANSWER_BYTES) throw new Error(`the answer is longer than ${LONGEST_ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function textsOf(server: URL, body: string): Readonly<Record<string, string>> {
  const answer = parseJson(body);
  if (!isJsonObject(answer) || answer['kind'] !== 'ConfigMap') throw noKubernetes(server.host);
  const texts = Object.entries(objectAt(answer, 'data'));
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

type ClusterInfoVerdict = 'valid' | 'unsigned' | 'forged' | 'no-kubeconfig';

/** The key of the signature that only holders of this token can check. */
export function signatureKey({ id }: BootstrapToken): string {
  return `jws-kubeconfig-${id}`;
}

/** The detached signature of a kubeconfig (RFC 7515, appendix F), to the byte as Kubernetes makes it. */
export function signClusterInfo(kubeconfig: string, { id, secret }: BootstrapToken): string {
  const header = base64url(`{"alg":"HS256","kid":"${id}"}`);
  const mac = createHmac('sha256', secret)
    .update(`${header}.${base64url(kubeconfig)}`)
    .digest('base64url');
  return `${header}..${mac}`;
}

/** Whether the holder of the token has signed this. The whole text is compared: no header is believed. */
export function verifyClusterInfo(data: Readonly<Record<string, string>>, token: BootstrapToken): ClusterInfoVerdict {
  const kubeconfig = data['kubeconfig'] ?? '';
  if (kubeconfig === '') return 'no-kubeconfig';
  const signature = data[signatureKey(token)] ?? '';
  if (signature === '') return 'unsigned';
  return isSame(signature, signClusterInfo(kubeconfig, token)) ? 'valid' : 'forged';
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Takes the same time wherever the two differ. */
function isSame(left: string, right: string): boolean {
  const [ours, theirs] = [Buffer.from(left), Buffer.from(right)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

/** What a certificate is refused for, by the word the TLS library has for it. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired by this machine's clock",
  CERT_NOT_YET_VALID: "is not valid yet by this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: 'is made out to other names',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is not signed by the expected CA',
  SELF_SIGNED_CERT_IN_CHAIN: 'is not signed by the expected CA',
  UNABLE_TO_GET_ISSUER_CERT: 'is not signed by the expected CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is not signed by the expected CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is not signed by the expected CA',
  CERT_SIGNATURE_FAILURE: 'is not signed by the expected CA',
  INVALID_CA: 'is signed by a certificate that is not a CA',
  INVALID_PURPOSE: 'is not made for a server',
};

/** A failure as `API_UNTRUSTED`, if a certificate is to blame for it. */
export function asUntrusted(host: string, error: unknown): OperatorError | undefined {
  const cause = error instanceof OperatorError ? error.cause : error;
  const fault = CERTIFICATE_FAULTS[systemCodeOf(cause)];
  if (fault === undefined) return undefined;
  return new OperatorError('API_UNTRUSTED', `Cannot trust what answers at "${host}": its certificate ${fault}`, {
    hint: "Compare the address, and this machine's clock, with the control plane's.",
    cause,
  });
}

/** There is a `cluster-info`, but nothing in it. */
export function emptyClusterInfo(host: string): OperatorError {
  return new OperatorError('API_NOT_FOUND', `The "cluster-info" of the cluster at "${host}" has no CA`, {
    hint: 'Check that the ConfigMap "cluster-info" in "kube-public" holds a "kubeconfig".',
  });
}

function unreachable(host: string, cause: unknown): OperatorError {
  return new OperatorError('API_UNREACHABLE', `Cannot reach the cluster at "${host}" (${systemCodeOf(cause)})`, {
    hint: 'Check the address and the way to it: names, routes, firewalls, and that the API server runs.',
    cause,
  });
}

function noKubernetes(host: string): OperatorError {
  return new OperatorError('API_FAILED', `The server at "${host}" is not a Kubernetes API`, {
    hint: 'Check the address and the port.',
  });
}

function closedToStrangers(host: string): OperatorError {
  return new OperatorError(
    'API_FORBIDDEN',
    `The cluster at "${host}" does not allow anonymous access to "cluster-info"`,
    {
      hint: 'Allow anonymous access to "cluster-info" ("kubeadm init phase bootstrap-token"), or join with "--discovery-file".',
    },
  );
}
