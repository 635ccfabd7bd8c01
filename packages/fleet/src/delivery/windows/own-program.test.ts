import { expect, test } from 'vitest';
import { digestIn } from './own-program.ts';

const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const IN_PAIRS = DIGEST.replaceAll(/..(?=.)/g, '$& ');

test.each([
  ['certutil', `SHA256 hash of C:\\a\\keadm.exe:\r\n${DIGEST}\r\nCertUtil: -hashfile command completed.\r\n`],
  ['certutil of Windows 7', `SHA256-Hash der Datei C:\\a\\keadm.exe:\r\n${IN_PAIRS}\r\nCertUtil: fertig.\r\n`],
  ['our own program', `${DIGEST.toUpperCase()}\n`],
])('the digest that %s makes is found', (_, output) => {
  expect(digestIn(output)).toBe(DIGEST);
});

test.each(['', "Can't recognize 'certutil' as a command\r\n", `${DIGEST}00\n`])('%j has none', (output) => {
  expect(digestIn(output)).toBeUndefined();
});
