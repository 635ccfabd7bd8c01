import { expect, test } from 'vitest';
import { windowsLine } from './own-program.ts';
import { factsLine, readWindowsAnswer } from './windows-system.ts';

const ANSWER = `Hello from the profile
fenestra-part
AMD64
fenestra-part
 Volume in drive C has no label.

 Directory of C:\\windows\\fenestra\\store\\ab

11/15/2026  10:00 AM         134217728 keadm.exe
               1 File(s)      134217728 bytes
               0 Dir(s)     50000000000 bytes free
fenestra-part
SHA256-Hash von C:\\windows\\fenestra\\store\\ab\\keadm.exe:
${'ab'.repeat(32)}
CertUtil: -hashfile-Befehl wurde erfolgreich ausgeführt.
fenestra-part
 Verzeichnis von C:\\
               1 Datei(en)           0 Bytes
               5 Verzeichnis(se), 49999999999 Bytes frei
fenestra-part
v1.2.3
fenestra-part
left
`;

test('the answer is read whatever the language of the machine', () => {
  expect(readWindowsAnswer(ANSWER.replaceAll('\n', ' \r\n'))).toMatchObject({
    facts: { os: 'windows', arch: 'x64', version: 'v1.2.3', configured: true, freeBytes: 49_999_999_999 },
    programBytes: 134_217_728,
    programDigest: 'ab'.repeat(32),
    left: true,
  });
});

test('a machine that has nothing of it', () => {
  const answer = readWindowsAnswer(
    'fenestra-part \r\nARM64 \r\nfenestra-part \r\nFile Not Found\r\nfenestra-part \r\nFailed\r\nfenestra-part \r\nfenestra-part \r\nfenestra-part \r\n',
  );
  expect(answer).toMatchObject({ facts: { arch: 'arm64', configured: false }, programBytes: undefined, left: false });
  expect(readWindowsAnswer('no such command')).toBeUndefined();
});

test('command lines have nothing that cmd and PowerShell read differently', () => {
  expect(factsLine('C:\\a\\keadm.exe', 'C:\\run')).toMatch(/^cmd \/c "[^"$`]*"$/);
  expect(windowsLine(['C:\\a\\keadm.exe', 'far-end', 'run', '--from', '5'])).toBe(
    'C:\\a\\keadm.exe far-end run --from 5',
  );
  expect(() => windowsLine(['C:\\Program Files\\x'])).toThrow('cannot be quoted');
});
