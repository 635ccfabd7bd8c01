import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { keadmInMemory } from '../../testing/keadm-in-memory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
});
afterEach(async () => rm(folder, { recursive: true }));

test('init writes a project that validate accepts', async () => {
  const made = await keadmInMemory('image', 'init', join(folder, 'p'), '--os', '2022', '--for', 'azure');
  expect(made).toMatchObject({ exitCode: 0 });
  expect(await readdir(join(folder, 'p'))).toContain('image.pkr.hcl');
  const checked = await keadmInMemory('image', 'validate', join(folder, 'p'));
  expect(checked.exitCode).toBe(0);
  expect(checked.out).toMatch(/variables\.pkr\.hcl:\d+ note: "keadm_sha256" still needs a value/);
});

test('validate reports every problem and exits 60', async () => {
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

test('without Packer, validate notes what it did not check', async () => {
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeFile(join(folder, 'a.pkr.hcl'), 'build {\n');
  const { exitCode, out } = await keadmInMemory('image', 'validate', folder);
  expect({ exitCode, out }).toEqual({
    exitCode: 0,
    out: `"${folder}" is valid\n  note: not checked by Packer: packer is not installed\n`,
  });
});

test('init --dry-run prints the files and writes nothing', async () => {
  const args = ['image', 'init', join(folder, 'p'), '--os', '2022', '--for', 'azure', '--dry-run'];
  const { exitCode, out } = await keadmInMemory(...args);
  expect({ exitCode, names: await readdir(folder) }).toEqual({ exitCode: 0, names: [] });
  expect(out).toContain('image.pkr.hcl');
});

test('init refuses a folder that is not empty', async () => {
  await writeFile(join(folder, 'mine.txt'), 'work');
  const { exitCode, err } = await keadmInMemory('image', 'init', folder, '--os', '2019', '--for', 'aws');
  expect(exitCode).toBe(2);
  expect(err).toContain('it is not empty');
  expect(await readdir(folder)).toEqual(['mine.txt']);
});

test('init refuses a communicator that the platform does not support, and writes nothing', async () => {
  const args = ['image', 'init', folder, '--os', '2022', '--for', 'azure', '--communicator', 'ssh'];
  expect((await keadmInMemory(...args)).exitCode).toBe(2);
  expect(await readdir(folder)).toEqual([]);
});

test('validate refuses a folder without a project', async () => {
  expect((await keadmInMemory('image', 'validate', folder)).exitCode).toBe(2);
  await mkdir(join(folder, 'below'));
  await writeFile(join(folder, 'below', 'a.pkr.hcl'), 'build {}\n');
  expect((await keadmInMemory('image', 'validate', folder)).exitCode).toBe(2);
});

test('an invalid image configuration is refused with all its mistakes before the machine is read', async () => {
  const file = join(folder, 'image.yaml');
  await writeFile(file, 'apiVersion: fenestra.dev/v1\nkind: ImageConfig\nsystem: 2016\n');
  for (const verb of ['plan', 'provision', 'verify']) {
    const { exitCode, err } = await keadmInMemory('image', verb, '--config', file);
    expect(exitCode).toBe(60);
    expect(err).toContain('image.yaml:3 system: must be');
  }
  expect(await readFile(file, 'utf8')).toContain('2016');
});
