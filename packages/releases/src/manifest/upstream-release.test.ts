import { expect, test } from 'vitest';
import { agentMember, checksumName, parseChecksum, parseTarballName, tarballName } from './upstream-release.ts';

test('parseTarballName and tarballName are each other’s inverse', () => {
  const name = tarballName('v1.23.0-beta.0', 'windows', 'x64');
  expect(name).toBe('kubeedge-v1.23.0-beta.0-windows-amd64.tar.gz');
  expect(parseTarballName(name)).toEqual({ name, version: 'v1.23.0-beta.0', os: 'windows', arch: 'x64' });
  expect(checksumName(name)).toBe('checksum_kubeedge-v1.23.0-beta.0-windows-amd64.tar.gz.txt');
});

test('agentMember knows where the agent is', () => {
  const linux = parseTarballName('kubeedge-v1.23.0-linux-arm64.tar.gz');
  const windows = parseTarballName('kubeedge-v1.23.0-windows-amd64.tar.gz');
  expect(linux && agentMember(linux)).toBe('kubeedge-v1.23.0-linux-arm64/edge/edgecore');
  expect(windows && agentMember(windows)).toBe('kubeedge-v1.23.0-windows-amd64/edge/edgecore.exe');
});

test.each(['keadm-v1.23.0-linux-amd64.tar.gz', 'kubeedge.tar.gz', 'kubeedge-v1/../x-linux-amd64.tar.gz', 'x'])(
  'parseTarballName: %j is none',
  (name) => {
    expect(parseTarballName(name)).toBeUndefined();
  },
);

const DIGEST = '0123456789abcdef'.repeat(8);

test.each([DIGEST, `${DIGEST}\n`, `${DIGEST.toUpperCase()}\r\n`, `${DIGEST}  kubeedge-v1.23.0-linux-amd64.tar.gz\n`])(
  'parseChecksum reads what upstream and sha512sum write',
  (text) => {
    expect(parseChecksum(text, 'checksum')).toBe(DIGEST);
  },
);

test.each(['', '<html>Not Found</html>', DIGEST.slice(1), `${DIGEST}0`, 'Not Found'])(
  'parseChecksum refuses %j',
  (text) => {
    expect(() => parseChecksum(text, 'checksum')).toThrow(expect.objectContaining({ code: 'RELEASE_INVALID' }));
  },
);
