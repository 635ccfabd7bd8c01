// oxlint-disable-next-line import/no-unassigned-import -- the certificate library needs it loaded first.
import 'reflect-metadata';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';

/** What a PKCS #10 request asks for. */
export interface ParsedRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly alternativeNames: readonly AlternativeName[];
  readonly request: Pkcs10CertificateRequest;
}

/** One alternative name: `dns`, `ip`, `email`, `url` and so on. */
export interface AlternativeName {
  readonly type: string;
  readonly value: string;
}

const PEM = /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----[\s\S]+-----END (NEW )?CERTIFICATE REQUEST-----\s*$/;

/** Reads `spec.request`: base64 of PEM. Undefined if it is no certificate request. The signature is not looked at. */
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
