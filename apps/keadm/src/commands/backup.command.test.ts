import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPassphrase, passphraseSecret } from './backup-passphrase.ts';
import { backupListText, backupText } from './backup.command.ts';

const backup = {
  archive: '/d/a.tar.gz',
  encrypted: false,
  nodeName: 'edge-1',
  version: 'v0.1.0',
  files: [
    { role: 'executable', path: 'edgecore' },
    { role: 'key', path: 'certificates/node.key' },
  ],
  missing: ['version'],
};

test('a backup says where it is, how large, what is in it and what is not', () => {
  expect(backupText(backup, 2 * 1024 ** 2).split('\n')).toEqual([
    'Wrote "/d/a.tar.gz"',
    '  2 MiB, not encrypted: the node "edge-1" with v0.1.0',
    '  executable  edgecore',
    '  key         certificates/node.key',
    'Not included, because the node does not have it: version',
    'It contains the private key of the node: keep it safe.',
  ]);
});

test('a list says that there is nothing, and speaks of archives only if it was asked for them', () => {
  expect(backupListText([], undefined)).toBe('This machine has no replaced versions');
  expect(backupListText([], [])).toContain('The folder has no archives');
});

test('a passphrase comes from the file that was named, without its line break, or else from the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passphrase-'));
  const file = join(folder, 'p');
  await writeFile(file, ' open sesame \r\n');
  expect(await findPassphrase({ passphraseFile: file }, { KEADM_PASSPHRASE: 'other' })).toBe(' open sesame ');
  expect(await findPassphrase({}, { KEADM_PASSPHRASE: 'other' })).toBe('other');
  expect(await findPassphrase({}, { KEADM_PASSPHRASE: '' })).toBeUndefined();
  await writeFile(file, '\n');
  await expect(findPassphrase({ passphraseFile: file }, {})).rejects.toMatchObject({ code: 'USAGE' });
  await rm(folder, { recursive: true });
});

test('a run without a passphrase knows none', () => {
  expect(passphraseSecret(undefined).size).toBe(0);
  expect([...passphraseSecret('x').values()]).toEqual(['x']);
});
