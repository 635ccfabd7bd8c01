// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it loaded first.
import 'reflect-metadata';
import type { X509Certificate } from 'node:crypto';
import { X509Certificate as ParsedCertificate } from '@peculiar/x509';
import type { User } from '../objects/gatekeeper.ts';

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

/** Who a client certificate is for: the common name is the user, organizations are groups. A serving certificate is nobody. */
export function certificateUser(certificate: X509Certificate): User | undefined {
  if (!certificate.keyUsage?.includes(CLIENT_AUTHENTICATION)) return undefined;
  const { subjectName } = new ParsedCertificate(certificate.raw);
  const [name] = subjectName.getField('CN');
  return name === undefined || name === '' ? undefined : { name, groups: subjectName.getField('O') };
}
