import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readRelease, type ReleaseFile, releaseManifestText } from './release-manifest.ts';
import { signRelease, parseTrustKeys } from './trust-key.ts';

function keyPair(type: 'ed25519' | 'ed448' = 'ed25519'): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
  return {
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

const file: ReleaseFile = { os: 'linux', arch: 'x64', path: 'keadm-linux-x64', size: 7, sha256: 'a'.repeat(64) };
const bytes = Buffer.from(releaseManifestText('v0.2.0', [file]));
const [ours, theirs] = [keyPair(), keyPair()];

test('readRelease takes a manifest that one of the trusted keys has signed, and says which', () => {
  const signature = signRelease(bytes, ours.privateKey);
  const release = readRelease(bytes, signature, [theirs.publicKey, ours.publicKey]);
  expect(release.manifest).toEqual({ schema: 1, product: 'fenestra', version: 'v0.2.0', files: [file] });
  expect(release.signedBy).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['no signature', undefined],
  ["someone else's signature", signRelease(bytes, theirs.privateKey)],
  ['a signature over other bytes', signRelease(Buffer.concat([bytes, Buffer.from(' ')]), ours.privateKey)],
  ['no signature at all, but a page of the web server', '<html>not found</html>'],
  ['an empty signature', ''],
])('readRelease refuses a manifest with %s where a key is trusted', (_what, signature) => {
  expect(() => readRelease(bytes, signature, [ours.publicKey])).toThrow(
    expect.objectContaining({ code: 'RELEASE_UNTRUSTED' }),
  );
});

test('readRelease takes an unsigned manifest where no key is trusted, and says that no one signed it', () => {
  expect(readRelease(bytes, undefined, []).signedBy).toBeUndefined();
});

const good = { schema: 1, product: 'fenestra', version: 'v0.2.0', files: [file] };
test.each([
  ['no JSON', 'oops'],
  ['a newer kind of manifest', { ...good, schema: 2 }],
  ['a key it does not know', { ...good, extra: true }],
  ['another product', { ...good, product: 'other' }],
  ['no version', { ...good, version: 'latest' }],
  ['no files', { ...good, files: [] }],
  ['two files for one system', { ...good, files: [file, { ...file, path: 'other' }] }],
  ['a path that leads out', { ...good, files: [{ ...file, path: '../keadm' }] }],
  ['a path that leads out further down', { ...good, files: [{ ...file, path: 'a/../../keadm' }] }],
  ['an absolute path', { ...good, files: [{ ...file, path: '/bin/keadm' }] }],
  ["a Windows path's separator", { ...good, files: [{ ...file, path: 'a\\keadm' }] }],
  ['a drive', { ...good, files: [{ ...file, path: 'C:keadm' }] }],
  ['no digest', { ...good, files: [{ ...file, sha256: 'ABC' }] }],
  ['no size', { ...good, files: [{ ...file, size: 0 }] }],
])('readRelease refuses a manifest with %s', (_what, manifest) => {
  expect(() => readRelease(Buffer.from(JSON.stringify(manifest)), undefined, [])).toThrow(
    expect.objectContaining({ code: 'RELEASE_INVALID' }),
  );
});

test('releaseManifestText does not depend on the order of the files', () => {
  const other: ReleaseFile = { ...file, os: 'windows', path: 'keadm-windows-x64.exe' };
  expect(releaseManifestText('v1.0.0', [other, file])).toBe(releaseManifestText('v1.0.0', [file, other]));
});

test('parseTrustKeys finds every key in a file, and refuses what is none', () => {
  expect(parseTrustKeys(`# ours\n${ours.publicKey}\n${theirs.publicKey}`, 'keys.pem')).toHaveLength(2);
  for (const pem of ['', 'text', ours.privateKey, keyPair('ed448').publicKey]) {
    expect(() => parseTrustKeys(pem, 'keys.pem')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  }
});

test('signRelease refuses a key of another kind and does not quote it', () => {
  for (const pem of ['secret', keyPair('ed448').privateKey, ours.publicKey]) {
    expect(() => signRelease(bytes, pem)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.not.stringContaining(pem) }),
    );
  }
});
