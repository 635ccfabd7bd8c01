import { OperatorError, systemCodeOf, type ErrorCode } from '@fenestra/kernel';

const NEW_TOKEN =
  'Make a token with "kubeadm token create --print-join-command" on the control plane, then join with it.';

/** What a certificate is refused for, by the word the TLS library has for it. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired by this machine's clock",
  CERT_NOT_YET_VALID: "is not valid yet by this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: 'is made out to other names',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is not signed by the CA that was to vouch for it',
  SELF_SIGNED_CERT_IN_CHAIN: 'is not signed by the CA that was to vouch for it',
  UNABLE_TO_GET_ISSUER_CERT: 'is not signed by the CA that was to vouch for it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is not signed by the CA that was to vouch for it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is not signed by the CA that was to vouch for it',
  CERT_SIGNATURE_FAILURE: 'is not signed by the CA that was to vouch for it',
  INVALID_CA: 'is signed by a certificate that is not a CA',
  INVALID_PURPOSE: 'is not made for a server',
};

/** Waiting may mend these: a cluster that starts, a signer that has not come round yet. */
const PASSING: readonly ErrorCode[] = [
  'API_UNREACHABLE',
  'API_FAILED',
  'API_FORBIDDEN',
  'API_NOT_FOUND',
  'API_REFUSED',
  'TOKEN_INVALID',
];

/** Whether another try may have another end. */
export function isPassing(error: unknown): error is OperatorError {
  return error instanceof OperatorError && PASSING.includes(error.code);
}

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

/** Nobody answered, or the answer broke off. */
export function unreachable(host: string, cause: unknown): OperatorError {
  return new OperatorError('API_UNREACHABLE', `Cannot reach the cluster at "${host}" (${systemCodeOf(cause)})`, {
    hint: 'Check the address and the way to it: names, routes, firewalls, and that the API server runs.',
    cause,
  });
}

/** Something answers that is no Kubernetes API. */
export function noKubernetes(host: string): OperatorError {
  return new OperatorError('API_FAILED', `The server at "${host}" is not a Kubernetes API`, {
    hint: 'Check the address and the port.',
  });
}

/** The cluster tells nothing to those it does not know, so that a token cannot be tried. */
export function closedToStrangers(host: string): OperatorError {
  return new OperatorError(
    'API_FORBIDDEN',
    `The cluster at "${host}" does not allow anonymous access to "cluster-info"`,
    {
      hint: 'Let anonymous users read "cluster-info" ("kubeadm init phase bootstrap-token"), or join by "--discovery-file".',
    },
  );
}

/** There is a `cluster-info`, but nothing in it. */
export function emptyClusterInfo(host: string): OperatorError {
  return new OperatorError('API_NOT_FOUND', `The "cluster-info" of the cluster at "${host}" has no CA`, {
    hint: 'Check that the ConfigMap "cluster-info" in "kube-public" holds a "kubeconfig".',
  });
}

/** The cluster has signed for no token of this id. The id is no secret, it is in the cluster for all to see. */
export function unsigned(host: string, tokenId: string): OperatorError {
  return new OperatorError(
    'TOKEN_INVALID',
    `The cluster at "${host}" does not know the token "${tokenId}.…": it was never made there, or has expired`,
    { hint: NEW_TOKEN },
  );
}

/** The signature is another secret's. */
export function forged(host: string, tokenId: string): OperatorError {
  return new OperatorError(
    'CLUSTER_INFO_FORGED',
    `The "cluster-info" of the cluster at "${host}" is not signed with the secret of the token "${tokenId}.…"`,
    { hint: `Copy the whole token again. ${NEW_TOKEN}` },
  );
}

/** No CA of the cluster has a key that was pinned. */
export function notPinned(host: string): OperatorError {
  return new OperatorError('CA_NOT_PINNED', `No CA of the cluster at "${host}" has the hash that was given`, {
    hint: 'Compare the hash with the one "kubeadm token create --print-join-command" prints on the control plane.',
  });
}

/** A join by token without a pin, which nobody has asked for in so many words. */
export function pinMissing(): OperatorError {
  return new OperatorError('USAGE', 'Cannot join by token: the hash of the CA is missing', {
    hint: 'Give "--discovery-token-ca-cert-hash", or "--discovery-token-unsafe-skip-ca-verification" to believe any.',
  });
}

/** The two answers are not the same. */
export function changed(host: string): OperatorError {
  return new OperatorError(
    'CLUSTER_INFO_CHANGED',
    `The "cluster-info" of the cluster at "${host}" changed after its certificate was verified`,
    { hint: 'Find out who answers at this address, then try again.' },
  );
}

/** Time is up. Who never answered, or never knew the token, is said plainly; else the last cause comes along. */
export function tooLate(host: string, limitMs: number, last: OperatorError): OperatorError {
  if (last.code === 'TOKEN_INVALID' || last.code === 'API_UNREACHABLE') return last;
  const seconds = Math.round(limitMs / 1000);
  return new OperatorError('TIMED_OUT', `Cannot find the cluster at "${host}" within ${seconds} s: ${last.message}`, {
    hint: last.hint,
    cause: last,
  });
}
