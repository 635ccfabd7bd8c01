import { expect, test } from 'vitest';
import { connectionError } from './connection-errors.ts';

test.each([
  ['ECONNREFUSED', 'HUB_UNREACHABLE'],
  ['ENOTFOUND', 'HUB_UNREACHABLE'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'HUB_UNTRUSTED'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'HUB_UNTRUSTED'],
  ['CERT_NOT_YET_VALID', 'CLOCK_WRONG'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'CERTIFICATE_REJECTED'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'CERTIFICATE_REJECTED'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'CERTIFICATE_REJECTED'],
])('%s is %s', (systemCode, code) => {
  const error = connectionError(Object.assign(new Error('no'), { code: systemCode }), 'connect to the cloud at "c:1"');
  expect(error).toMatchObject({ code, message: `Cannot connect to the cloud at "c:1" (${systemCode})` });
});
