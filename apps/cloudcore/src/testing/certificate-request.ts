import { nodeCommonName, NODE_ORGANIZATION } from '@fenestra/contracts';
import { x509 } from '../certificates/x509.ts';

/** A key and a request for a certificate, as a node makes them. */
export interface RequestAndKey {
  readonly csr: Buffer;
  /** PKCS#8, PEM. */
  readonly key: string;
}

/** What the request says; by default what an honest node asks for. */
export interface RequestOptions {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  /** Further parts of the subject. */
  readonly subject?: x509.JsonName;
  readonly alternativeNames?: x509.JsonGeneralNames;
  readonly algorithm?: RsaHashedKeyGenParams & EcdsaParams;
}

const ECDSA: EcKeyGenParams & EcdsaParams = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Makes a key and a request for a node. */
export async function certificateRequest(node: string, options: RequestOptions = {}): Promise<RequestAndKey> {
  const { commonName = nodeCommonName(node), organizations = [NODE_ORGANIZATION] } = options;
  const { subject = [], alternativeNames } = options;
  const algorithm = options.algorithm ?? ECDSA;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }, ...subject],
    keys,
    signingAlgorithm: algorithm,
    extensions: alternativeNames ? [new x509.SubjectAlternativeNameExtension(alternativeNames)] : [],
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { csr: Buffer.from(csr.rawData), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') };
}
