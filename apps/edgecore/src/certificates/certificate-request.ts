import { createPrivateKey, createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { nodeRequestSubject } from '@fenestra/contracts';
import { bitString, emptyContext, identifier, sequence, setOf, text, zero } from './der.ts';

const ATTRIBUTES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
};
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/** Makes a P-256 key; PEM, in the form upstream writes: `EC PRIVATE KEY`. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

/**
 * Asks, as upstream's agent does, for a certificate of this key as the node of this name; returns PKCS#10 in DER. Written
 * by hand, since loading a library for certificates would cost the agent more memory than all of its connection.
 */
export function makeCertificateRequest(nodeName: string, key: string): Buffer {
  const privateKey = createPrivateKey(key);
  const body = sequence(zero(), subject(nodeName), publicKeyOf(privateKey), emptyContext());
  const signature = createSign('sha256').update(body).sign(privateKey);
  return sequence(body, sequence(identifier(ECDSA_WITH_SHA256)), bitString(signature));
}

function subject(nodeName: string): Buffer {
  return sequence(...nodeRequestSubject(nodeName).map(([name, value]) => setOf(attribute(name, value))));
}

function attribute(name: string, value: string): Buffer {
  return sequence(identifier(ATTRIBUTES[name] ?? ''), text(value, name === 'C' ? 'printable' : 'utf8'));
}

function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}
