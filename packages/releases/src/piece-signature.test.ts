import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBy } from './piece-signature.ts';

const content = Buffer.from('what is signed');

test('isSignedBy takes Ed25519, as it is or in base64', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, content, privateKey);
  expect(isSignedBy(content, signature, publicKey)).toBe(true);
  expect(isSignedBy(content, Buffer.from(`${signature.toString('base64')}\n`), publicKey)).toBe(true);
});

test('isSignedBy takes ECDSA and RSA over SHA-256, as cosign and openssl make them', () => {
  for (const pair of [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ])
    expect(isSignedBy(content, sign('sha256', content, pair.privateKey), pair.publicKey)).toBe(true);
});

test('isSignedBy refuses other content, another key and what is not a signature', () => {
  const [one, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const signature = sign(null, content, one.privateKey);
  expect(isSignedBy(Buffer.from('something else'), signature, one.publicKey)).toBe(false);
  expect(isSignedBy(content, signature, other.publicKey)).toBe(false);
  expect(isSignedBy(content, Buffer.from('AAAA'), one.publicKey)).toBe(false);
});
