import { OperatorError, systemCodeOf, type ErrorCode } from '@fenestra/kernel';

interface Meaning {
  readonly code: ErrorCode;
  readonly hint: string;
}

const UNREACHABLE: Meaning = {
  code: 'HUB_UNREACHABLE',
  hint: 'Check that the cloud runs and that this node may reach its ports 10000 and 10002.',
};
const UNKNOWN_NAME: Meaning = {
  code: 'HUB_UNREACHABLE',
  hint: "Check the name of the cloud in the configuration and this machine's name service.",
};
const FOREIGN_CA: Meaning = {
  code: 'HUB_UNTRUSTED',
  hint: 'Check the address of the cloud; if it has a new CA, give the node a new join token.',
};
const OTHER_NAME: Meaning = {
  code: 'HUB_UNTRUSTED',
  hint: 'Add the address this node uses to "modules.cloudHub.advertiseAddress" or "dnsNames" of the cloud.',
};
const CLOCK: Meaning = {
  code: 'CLOCK_WRONG',
  hint: "Compare this machine's clock with the cloud's and set it right.",
};
const OWN_CERTIFICATE: Meaning = {
  code: 'CERTIFICATE_REJECTED',
  hint: 'Give the node a new join token in "modules.edgeHub.token": it then requests a new certificate.',
};

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: UNKNOWN_NAME,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: FOREIGN_CA,
  UNABLE_TO_GET_ISSUER_CERT: FOREIGN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: FOREIGN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: FOREIGN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: FOREIGN_CA,
  CERT_SIGNATURE_FAILURE: FOREIGN_CA,
  CERT_UNTRUSTED: FOREIGN_CA,
  INVALID_CA: FOREIGN_CA,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  CERT_NOT_YET_VALID: CLOCK,
  CERT_HAS_EXPIRED: CLOCK,
};

/** The peer says so by an alert: `ERR_SSL_TLSV1_ALERT_UNKNOWN_CA`, `ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED`, … */
const CERTIFICATE_ALERT = /^ERR_SSL_.*ALERT_(UNKNOWN_CA|.*CERTIFICATE.*|ACCESS_DENIED)$/;

/** Turns what the network or TLS said into a catalogue error. `action` completes "Cannot …". An operator error passes through. */
export function connectionError(cause: unknown, action: string): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const systemCode = systemCodeOf(cause);
  const { code, hint } = meaningOf(systemCode);
  const detail = systemCode === 'unknown' ? '' : ` (${systemCode})`;
  return new OperatorError(code, `Cannot ${action}${detail}`, { hint, cause });
}

function meaningOf(systemCode: string): Meaning {
  if (CERTIFICATE_ALERT.test(systemCode)) return OWN_CERTIFICATE;
  return MEANINGS[systemCode] ?? UNREACHABLE;
}
