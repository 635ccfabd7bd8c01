import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { programBook } from './program-book.ts';
import { type ProgramTools, givenPrograms } from './program-target.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'programs-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** The beginning of a Linux program for this processor, and something that differs. */
function elf(machine: 62 | 183, text: string): Buffer {
  const head = Buffer.alloc(64);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  head.writeUInt16LE(machine, 18);
  return Buffer.concat([head, Buffer.from(text)]);
}

function put(path: string, content: Buffer): string {
  const whole = join(FOLDER, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

async function loadPlatform(): Promise<never> {
  throw new Error('none of these asks this machine anything');
}

function tools(executable: string, version = '1.2.3'): ProgramTools {
  const environment = { executable, version, trustKeys: [], signal: new AbortController().signal, loadPlatform };
  return { environment, scratch: mkdtempSync(join(FOLDER, 'scratch-')) };
}

const ours = elf(62, 'ours');
const arm = elf(183, 'arm');

test('by default this very program, and its sibling for another kind of machine', async () => {
  const own = put('dist/linux-x64/keadm', ours);
  put('dist/linux-arm64/keadm', arm);
  const { programs } = programBook({ kind: 'own' }, new Map(), tools(own));
  expect(await programs('linux', 'x64')).toEqual({ path: own, size: 68, sha256: sha256(ours), version: 'v1.2.3' });
  expect(await programs('linux', 'arm64')).toMatchObject({ sha256: sha256(arm), version: 'v1.2.3' });
});

test('anyone who asks for its version alone has nothing read', async () => {
  const own = put('unread/keadm', ours);
  const { carried, programs } = programBook({ kind: 'own' }, new Map(), tools(own));
  expect(await carried('linux', 'x64')).toBe('v1.2.3');
  const other = elf(62, 'another');
  writeFileSync(own, other);
  expect(await programs('linux', 'x64')).toMatchObject({ sha256: sha256(other), size: other.length });
});

test('where there is none, the message says how to provide one', async () => {
  const { programs } = programBook({ kind: 'own' }, new Map(), tools(put('alone/keadm', ours)));
  await expect(programs('windows', 'x64')).rejects.toMatchObject({
    code: 'REMOTE_UNSUPPORTED',
    hint: expect.stringContaining('--program windows-x64=PATH'),
  });
});

test('a program that runs from its sources does not send Node.js', async () => {
  const { programs } = programBook({ kind: 'own' }, new Map(), tools(process.execPath, '0.0.0-source'));
  await expect(programs('linux', 'x64')).rejects.toMatchObject({ code: 'REMOTE_UNSUPPORTED' });
});

test('one that is given comes before all, but must be for that kind of machine', async () => {
  const given = new Map([
    ['linux-arm64', put('given/keadm', arm)] as const,
    ['linux-x64', put('given/wrong', arm)] as const,
  ]);
  const { programs } = programBook({ kind: 'own' }, given, tools(put('own/keadm', ours)));
  expect(await programs('linux', 'arm64')).toMatchObject({ sha256: sha256(arm) });
  await expect(programs('linux', 'x64')).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
});

test('packed ones are unpacked once, wherever in the archive they are', async () => {
  put('tree/keadm-v1.0.0-linux-arm64/keadm/keadm', arm);
  const folder = join(FOLDER, 'packages');
  mkdirSync(join(folder, 'arm64'), { recursive: true });
  const archive = join(folder, 'arm64', 'keadm-v1.0.0-linux-arm64.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(FOLDER, 'tree'), 'keadm-v1.0.0-linux-arm64']);
  const source = { kind: 'archives', folder, version: 'v1.0.0', arches: ['amd64', 'arm64'] } as const;
  const { programs } = programBook(source, new Map(), tools('/keadm'));
  expect(await programs('linux', 'arm64')).toMatchObject({ sha256: sha256(arm), version: 'v1.0.0' });
  await expect(programs('linux', 'x64')).rejects.toMatchObject({ code: 'REMOTE_UNSUPPORTED' });
  writeFileSync(join(folder, 'arm64', 'checksum_keadm-v1.0.0-linux-arm64.tar.gz.txt'), `${'0'.repeat(128)}\n`);
  await expect(programBook(source, new Map(), tools('/keadm')).programs('linux', 'arm64')).rejects.toMatchObject({
    code: 'RELEASE_INVALID',
  });
});

test('what someone has put where they are unpacked to is not used', async () => {
  put('other/keadm/keadm', arm);
  const folder = join(FOLDER, 'others');
  mkdirSync(join(folder, 'arm64'), { recursive: true });
  const archive = join(folder, 'arm64', 'keadm-v1.0.0-linux-arm64.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(FOLDER, 'other'), 'keadm']);
  const planted = tools('/keadm');
  writeFileSync(join(planted.scratch, 'linux-arm64-keadm'), elf(183, 'planted'));
  const source = { kind: 'archives', folder, version: 'v1.0.0', arches: ['arm64'] } as const;
  await expect(programBook(source, new Map(), planted).programs('linux', 'arm64')).rejects.toThrow('linux-arm64-keadm');
});

test.each(['windows-x64', 'mac-x64=/keadm', '=x', 'linux-x64='])('--program %s is refused', (flag) => {
  expect(() => givenPrograms([flag])).toThrow(`Cannot use "${flag}" as a program`);
});
