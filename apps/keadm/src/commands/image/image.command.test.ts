import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keadmInMemory } from '../../testing/keadm-in-memory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
});
afterEach(async () => rm(folder, { recursive: true }));

test('init writes a project that validate finds sound', async () => {
  const made = await keadmInMemory('image', 'init', join(folder, 'p'), '--os', '2022', '--for', 'azure');
  expect(made).toMatchObject({ exitCode: 0 });
  expect(await readdir(join(folder, 'p'))).toContain('image.pkr.hcl');
  const checked = await keadmInMemory('image', 'validate', join(folder, 'p'));
  expect(checked.exitCode).toBe(0);
  expect(checked.out).toContain('note: "keadm_sha256" still needs a value');
});

test('validate tells every problem with its line, and the exit code says so', async () => {
  await keadmInMemory('image', 'init', folder, '--os', '2025', '--for', 'qemu', '--role', 'edge');
  await appendFile(join(folder, 'overrides.auto.pkrvars.hcl'), 'contanerd_sha256 = "x"\nkeadm_sha256 = "abc"\n');
  await rm(join(folder, 'scripts', 'seal.ps1'));
  const { exitCode, out } = await keadmInMemory('image', 'validate', folder, '-o', 'json');
  expect(exitCode).toBe(60);
  const messages = [...out.matchAll(/"message": "((?:\\"|[^"])*)"/g)].map(([, message]) => message);
  expect(messages.join()).toContain('no such variable; did you mean');
  expect(messages.join()).toContain('must be a SHA-256 digest');
  expect(messages.join()).toContain('scripts/seal.ps1');
});

test('a dry run of init says what it would write, and writes nothing', async () => {
  const args = ['image', 'init', join(folder, 'p'), '--os', '2022', '--for', 'azure', '--dry-run'];
  const { exitCode, out } = await keadmInMemory(...args);
  expect({ exitCode, names: await readdir(folder) }).toEqual({ exitCode: 0, names: [] });
  expect(out).toContain('image.pkr.hcl');
});

test('init writes over nothing', async () => {
  await writeFile(join(folder, 'mine.txt'), 'work');
  const { exitCode, err } = await keadmInMemory('image', 'init', folder, '--os', '2019', '--for', 'aws');
  expect(exitCode).toBe(2);
  expect(err).toContain('it is not empty');
  expect(await readdir(folder)).toEqual(['mine.txt']);
});

test('init refuses what does not go together, and writes nothing', async () => {
  const args = ['image', 'init', folder, '--os', '2022', '--for', 'azure', '--communicator', 'ssh'];
  expect((await keadmInMemory(...args)).exitCode).toBe(2);
  expect(await readdir(folder)).toEqual([]);
});

test('a folder without a project is told from a sound one', async () => {
  expect((await keadmInMemory('image', 'validate', folder)).exitCode).toBe(2);
  await mkdir(join(folder, 'below'));
  await writeFile(join(folder, 'below', 'a.pkr.hcl'), 'build {}\n');
  expect((await keadmInMemory('image', 'validate', folder)).exitCode).toBe(2);
});

test('a file that is no description of an image is refused with all its mistakes before anything is looked at', async () => {
  const file = join(folder, 'image.yaml');
  await writeFile(file, 'apiVersion: fenestra.dev/v1\nkind: ImageConfig\nsystem: 2016\n');
  for (const verb of ['plan', 'provision', 'verify']) {
    const { exitCode, err } = await keadmInMemory('image', verb, '--config', file);
    expect(exitCode).toBe(60);
    expect(err).toContain('image.yaml:3 system: must be');
  }
  expect(await readFile(file, 'utf8')).toContain('2016');
});
