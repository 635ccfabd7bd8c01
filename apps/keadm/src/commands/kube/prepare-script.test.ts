import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keadmInMemory } from '../../testing/keadm-in-memory.ts';

const PREPARE = ['kube', 'prepare', '--version', 'v1.33.1', '--from', 'D:\\k8s files\\', '--with', 'kube-proxy'];
const sha256 = 'AB'.repeat(32);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'print-script-'));
  await writeFile(join(folder, 'keadm.exe'), 'a program');
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const prepare = async (...args: readonly string[]) => keadmInMemory(...PREPARE, ...args);

test('the script runs what was typed, without the options about the script', async () => {
  const source = ['--keadm', 'https://releases.example/keadm.exe', '--keadm-sha256', sha256];
  const { exitCode, out, err } = await prepare('--print-script', 'powershell', ...source);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(out).toContain("$source = 'https://releases.example/keadm.exe'");
  expect(out).toContain(`$sha256 = '${sha256.toLowerCase()}'`);
  expect(out).toContain(
    String.raw`$arguments = 'kube prepare --version v1.33.1 --from "D:\k8s files\\" --with kube-proxy'`,
  );
});

test('a keadm that is here needs no digest', async () => {
  const { out } = await prepare('--print-script=powershell', '--keadm', join(folder, 'keadm.exe'), '--output', 'json');
  const digest = createHash('sha256').update('a program').digest('hex');
  expect(JSON.parse(out)).toMatchObject({ shell: 'powershell', sha256: digest });
  expect(out).not.toContain('--output');
});

test('a script with an address that has a password in it is said to be private', async () => {
  const source = ['--keadm', 'https://me:secret@releases.example/keadm', '--keadm-sha256', sha256];
  const { err } = await prepare('--print-script', 'sh', ...source);
  expect(err).toBe('  warn    The script contains a URL with credentials: keep it private.\n');
});

test.each([
  [['--print-script', 'bash'], 'Error: Option "--print-script <shell>" argument "bash" is invalid'],
  [['--print-script', 'powershell'], 'Error: Cannot use keadm from "/keadm"'],
  [
    ['--print-script', 'sh', '--keadm', 'https://x/keadm'],
    'Error: Missing the SHA-256 of the keadm at "https://x/keadm": it is not a file on this machine',
  ],
  [
    ['--print-script', 'sh', '--keadm', 'https://me:secret@x/keadm?key=secret'],
    'Error: Missing the SHA-256 of the keadm at "https://x/keadm": it is not a file on this machine',
  ],
  [
    ['--print-script', 'powershell', '--keadm', 'https://me:secret@x/keadm?key=secret'],
    'Error: Cannot use keadm from "https://x/keadm"',
  ],
  [['--print-script', 'sh', '--keadm', '/x', '--keadm-sha256', 'abc'], 'Error: Cannot use "abc" as a SHA-256'],
])('%j is refused in one line', async (args, message) => {
  const { exitCode, out, err } = await prepare(...args);
  expect({ exitCode, out, lines: err.trimEnd().split('\n').length }).toEqual({ exitCode: 2, out: '', lines: 1 });
  expect(err.startsWith(message)).toBe(true);
  expect(err).not.toContain('secret');
});

test.each([
  ['https://me:pa#secret@x/keadm', 'https://…'],
  ['https://me:pa/secret@x/keadm', 'https://…'],
  ['https://me:secret@x:99999/keadm', 'https://…'],
  ['ftp://me:secret@x/keadm', 'ftp://x/keadm'],
])('nothing secret of "%s" is shown', async (source, shown) => {
  const { exitCode, err } = await prepare('--print-script', 'sh', '--keadm', source);
  expect(exitCode).toBe(2);
  expect(err).toContain(`the keadm at "${shown}"`);
  expect(err).not.toContain('secret');
});
