import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configLines, ignoredKeywords, mayBeSet } from './config-keywords.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-keywords-'));
});
afterAll(async () => rm(folder, { recursive: true }));

test('the keywords of all files that belong together are found', async () => {
  await mkdir(join(folder, 'more'));
  await writeFile(
    join(folder, 'config'),
    `# ProxyCommand in a remark
Include more/*.conf "${join(folder, 'quoted file')}" nowhere
Host a
\tHostName=b
`,
  );
  await writeFile(join(folder, 'more', 'one.conf'), 'Host *\n  proxyjump door\n');
  await writeFile(join(folder, 'more', 'two.other'), 'GSSAPIAuthentication yes\n');
  await writeFile(join(folder, 'quoted file'), 'Include config\nIdentityFile x\n');
  const found = await configLines([join(folder, 'config'), join(folder, 'none')]);
  const keywords = new Set(found.map(({ keyword }) => keyword));
  expect([...keywords].toSorted()).toEqual(['host', 'hostname', 'identityfile', 'include', 'proxyjump']);
});

test.each([
  [false, 'Host unix/* vsock,* .host\n  ProxyCommand systemd-ssh-proxy %h %p\n'],
  [true, 'Host "other" SHOP*\n  ProxyCommand x\n'],
  [false, 'Host * !shop.example\n  ProxyCommand x\n'],
  [true, 'ProxyCommand x\nHost other\n'],
  [true, 'Host other\nMatch user me\n  ProxyCommand x\n'],
  [false, 'Host shop.example\nHost other\n  ProxyCommand x\n'],
  [true, 'CanonicalizeHostname yes\nHost *.inside\n  ProxyCommand x\n'],
  [true, 'Host shop*\n  HostName a.inside\nHost *.inside\n  ProxyCommand x\nMatch final all\n'],
  [false, 'Host other\n  HostName a.inside\nHost *.inside\n  ProxyCommand x\nMatch final all\n'],
])(
  'whether a keyword may be set for a host is known by the patterns it stands below: %s %j',
  async (expected, text) => {
    expect(mayBeSet(await linesOf(text), ['proxycommand'], 'shop.example')).toBe(expected);
  },
);

test('what is included below a Host is for that one only, and what comes after it too', async () => {
  await writeFile(join(folder, 'inner'), 'ProxyJump door\nHost *\nProxyCommand x\n');
  const lines = await linesOf('Host other\n  Include inner\n  HostName x\n');
  for (const keyword of ['proxyjump', 'proxycommand', 'hostname']) {
    expect(mayBeSet(lines, [keyword], 'shop.example')).toBe(false);
    expect(mayBeSet(lines, [keyword], 'other')).toBe(true);
  }
});

test('what the settings allow an ssh not to know is found', async () => {
  const lines = await linesOf('IgnoreUnknown UseKeychain,Add*\nHost a\nIgnoreUnknown "Other"\n');
  expect(ignoredKeywords(lines)).toEqual(['UseKeychain', 'Add*', 'Other']);
});

async function linesOf(text: string) {
  const file = join(folder, 'settings');
  await writeFile(file, text);
  return configLines([file]);
}
