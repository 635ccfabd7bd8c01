import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RemoteTarget } from '@fenestra/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPrinted } from './run-ssh.ts';
import { type OwnSettingsBook, ownSettingsBook, readSettings } from './own-settings.ts';

const target: RemoteTarget = {
  name: 'shop',
  host: 'shop.example',
  port: 22,
  user: 'me',
  auth: [],
  hostKeys: [],
  jumps: [],
  transport: 'auto',
  limits: { connectSeconds: 10, idleTimeoutSeconds: 30 },
};
const NOTHING = { proxy: undefined, gssapi: false, realName: undefined };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-settings-'));
  await writeFile(join(folder, 'config'), 'ProxyCommand nc %h %p\n');
});
afterAll(async () => rm(folder, { recursive: true }));

test.each([
  ['proxycommand nc %h %p', { ...NOTHING, proxy: 'ProxyCommand' }],
  ['proxyjump door', { ...NOTHING, proxy: 'ProxyJump' }],
  ['proxycommand none\ngssapiauthentication yes', { ...NOTHING, gssapi: true }],
  ['proxycommand /usr/bin/sss_ssh_knownhostsproxy -p 22 shop-1.example', NOTHING],
  ['proxycommand nc sss_ssh_knownhostsproxy 22', { ...NOTHING, proxy: 'ProxyCommand' }],
  ['hostname 10.0.0.7', { ...NOTHING, realName: '10.0.0.7' }],
  ['hostname shop-1.example', NOTHING],
  ['', NOTHING],
])('what ssh prints is read: %j', (printed, settings) => {
  expect(readSettings('Shop-1.example', readPrinted(`user me\n${printed}\nport 22\n`))).toEqual(settings);
});

test('an ssh that does not understand its settings is reported, and asked again the next time', async () => {
  const book = await bookOf('echo "config: line 1: Bad configuration option: x" >&2\nexit 255\n');
  await expect(book.about(target, 'proxy')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/"shop\.example": config: line 1: Bad configuration option: x$/),
    hint: expect.stringContaining('transport: library'),
  });
  await bookOf('echo "proxyjump door"\n');
  expect(await book.about(target, 'proxy')).toMatchObject({ proxy: 'ProxyJump' });
  expect((await readdir(folder)).filter((name) => name.startsWith('fssh-'))).toEqual([]);
});

test('where there is no ssh it has no settings, and without a place for files no one knows', async () => {
  const places = { program: join(folder, 'none'), includes: [join(folder, 'config')], temporaryFolder: folder };
  expect(await ownSettingsBook(places).about(target, 'proxy')).toBeUndefined();
  const nowhere = ownSettingsBook({ ...places, temporaryFolder: join(folder, 'none') });
  await expect(nowhere.about(target, 'proxy')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});

/** Settings as a program tells them that is called like ssh. */
async function bookOf(script: string): Promise<OwnSettingsBook> {
  const program = join(folder, 'ssh');
  await writeFile(program, `#!/bin/sh\n${script}`);
  await chmod(program, 0o700);
  return ownSettingsBook({ program, includes: [join(folder, 'config')], temporaryFolder: folder });
}
