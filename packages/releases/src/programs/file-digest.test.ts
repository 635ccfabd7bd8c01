import { expect, test } from 'vitest';
import { parseProgramChecksum } from './file-digest.ts';

const SHA512 = 'Ab'.repeat(64);
const SHA256 = 'cd'.repeat(32);

test.each([
  ['the digest alone', SHA512, '.sha512', { algorithm: 'sha512', hex: SHA512.toLowerCase() }],
  ['what sha512sum writes', `${SHA512}  kubelet\n`, '.sha512', { algorithm: 'sha512', hex: SHA512.toLowerCase() }],
  ['the shorter one', `${SHA256}\n`, '.sha256', { algorithm: 'sha256', hex: SHA256 }],
] as const)('parseProgramChecksum reads %s', (_what, text, ending, digest) => {
  expect(parseProgramChecksum(text, 'kubelet', ending)).toEqual(digest);
});

test.each(['', '<html>not found</html>', SHA256, `${SHA512}0`])('parseProgramChecksum refuses %j', (text) => {
  expect(() => parseProgramChecksum(text, 'kubelet.sha512', '.sha512')).toThrow(
    expect.objectContaining({ code: 'RELEASE_INVALID' }),
  );
});
