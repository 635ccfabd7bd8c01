// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JsonObject } from '@fenestra/kube-api';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Approvers before v1.27 take nothing but these three, even for a key that cannot encipher; later ones take them too. */
const USAGES = ['digital signature', 'key encipherment', 'client auth'];

/** A request for a node's client certificate, as the approver requires it. The P-256 key (PEM) stays here. */
export async function certificateRequest(node: string, privateKey: string): Promise<JsonObject> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: [`system:node:${node}`] }],
    keys: await importKeys(privateKey),
    signingAlgorithm: ALGORITHM,
  });
  return {
    metadata: { generateName: 'csr-' },
    spec: {
      request: Buffer.from(request.toString('pem')).toString('base64'),
      signerName: SIGNER,
      usages: USAGES,
    },
  };
}

async function importKeys(pem: string): Promise<CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  return {
    publicKey: await crypto.subtle.importKey('spki', Uint8Array.from(spki), ALGORITHM, true, ['verify']),
    privateKey: await crypto.subtle.importKey('pkcs8', Uint8Array.from(pkcs8), ALGORITHM, false, ['sign']),
  };
}
