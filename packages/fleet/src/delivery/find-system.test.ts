import { expect, test } from 'vitest';
import { probe, readProbe } from './find-system.ts';
import { localHosts } from './testing/local-hosts.ts';

test.each([
  ['"fenestra;Windows_NT;$env:OS;"\r\n', 'cmd'],
  ['fenestra;%OS%;Windows_NT;\r\n', 'powershell'],
  ['Welcome!\nfenestra;%OS%;:OS;\n', 'posix'],
  ['fenestra,,\n', 'posix'],
  ['This account is currently not available.\n', undefined],
])('the answer %j', (output, expected) => {
  expect(readProbe(output)).toBe(expected);
});

const env = { PATH: '/usr/bin:/bin' };
const { signal } = new AbortController();

test.each([
  ['a plain shell', ['sh', '-c']],
  ['one that greets', ['sh', '-c', 'echo Hello; echo hm >&2; exec sh -c "$1"', 'sh']],
  [
    'one that refuses variables it does not know',
    ['sh', '-c', 'case $1 in *%OS%*) exit 1;; esac; exec sh -c "$1"', 'sh'],
  ],
])('%s is found out', async (_what, shell) => {
  const hosts = localHosts({ shell, env });
  const host = await hosts.connect(hosts.target, signal);
  expect(await probe(host, signal)).toBe('posix');
});

test('no shell at all is said so, with its words', async () => {
  const hosts = localHosts({ shell: ['sh', '-c', 'echo account locked >&2; exit 1', 'sh'], env });
  const host = await hosts.connect(hosts.target, signal);
  await expect(probe(host, signal)).rejects.toMatchObject({
    code: 'REMOTE_UNSUPPORTED',
    message: expect.stringContaining('account locked'),
  });
});
