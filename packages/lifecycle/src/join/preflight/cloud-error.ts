import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { endpointText, type Endpoint } from '../cloud-address.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name service does not answer',
  EHOSTUNREACH: 'there is no way to that address',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'it does not answer',
  ABORT_ERR: 'it does not answer',
  ECONNRESET: 'it breaks the connection off',
};

const CHECK_ADDRESS = 'Check the address and the ports, that the cloud runs, and that no firewall is in between.';

/** Turns what the network or TLS said of the cloud into a catalogue error that names host, port and reason. */
export function cloudError(cause: unknown, endpoint: Endpoint): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const code = systemCodeOf(cause);
  const at = `the cloud at "${endpointText(endpoint)}"`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new OperatorError('HUB_UNTRUSTED', `Cannot trust ${at}: its certificate is for other addresses`, {
      hint: 'Use an address the cloud was given with "keadm init --advertise-address", or add this one there.',
      cause,
    });
  }
  if (isTlsProblem(code)) {
    return new OperatorError('HUB_UNTRUSTED', `Cannot trust ${at}: its certificate verification failed (${code})`, {
      hint: 'Check the address, and take the token from the same cloud.',
      cause,
    });
  }
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : code);
  return new OperatorError('HUB_UNREACHABLE', `Cannot reach ${at}: ${reason}`, {
    hint: CHECK_ADDRESS,
    cause,
    details: { host: endpoint.host, port: endpoint.port },
  });
}

/** OpenSSL's verdicts on a certificate, as Node names them. */
function isTlsProblem(code: string): boolean {
  return /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA)/.test(code);
}
