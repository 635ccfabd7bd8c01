import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keadmInMemory, type KeadmAnswer } from '../../testing/keadm-in-memory.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keadm-batch-'));
});
afterEach(async () => rm(folder, { recursive: true }));

async function keadm(...args: readonly string[]): Promise<KeadmAnswer> {
  return keadmInMemory('batch', ...args);
}

test('what gen-config writes is valid as it stands, is for its owner only, and is never written over', async () => {
  const file = join(folder, 'nodes.yaml');
  const { out } = await keadm('gen-config');
  expect(await keadm('gen-config', '--to', file)).toMatchObject({ exitCode: 0, err: '' });
  expect(await readFile(file, 'utf8')).toBe(out);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await keadm('validate', '-c', file)).toEqual({ exitCode: 0, out: `"${file}" is valid: 2 node(s)\n`, err: '' });
  expect(await keadm('gen-config', '--to', file)).toMatchObject({ exitCode: 2, out: '' });
});

test('validate reports every mistake, and answers as JSON if asked to', async () => {
  const file = join(folder, 'nodes.yaml');
  await writeFile(file, 'nodes:\n  - nodeName: a\n    keadmCmd: join --token={{token}}\n    ssh: { ip: h }\n');
  const { exitCode, err } = await keadm('validate', '--config', file);
  expect(exitCode).toBe(60);
  expect(err).toContain(`${file}:3 nodes[0].keadmCmd: uses the undefined wildcard "token"`);
  expect(err).toContain(`${file}:4 nodes[0].ssh.username: must be given`);
  const json = await keadm('validate', '--config', file, '--output', 'json');
  expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'CONFIG_INVALID', details: { problems: 2 } } });
});

test('validate shows commands without their secrets', async () => {
  const file = join(folder, 'nodes.yaml');
  await writeFile(file, 'nodes: [{ nodeName: a, keadmCmd: join --token=hunter2, ssh: { ip: h, username: u } }]');
  await chmod(file, 0o600);
  const { out } = await keadm('validate', '-c', file, '-o', 'json');
  expect(JSON.parse(out)).toMatchObject({
    valid: true,
    nodes: [{ name: 'a', command: ['join', '--token=***'] }],
    notes: [{ path: 'nodes[0].keadmCmd' }],
  });
  expect(out).not.toContain('hunter2');
});

test('what import writes becomes a valid file', async () => {
  const [table, file] = [join(folder, 'nodes.csv'), join(folder, 'nodes.yaml')];
  await writeFile(table, 'name,ip,user,shelf\na,192.0.2.1,root,7\nb,192.0.2.2,root,8\n');
  const { out } = await keadm('import', 'csv', table, '--to', file, '--keadm-cmd', 'reset --force');
  expect(out).toContain(`Wrote 2 node(s) to "${file}"\n  note: Column "shelf" is not known`);
  expect((await keadm('validate', '-c', file)).exitCode).toBe(0);
  expect((await keadm('import', 'csv', table)).out).toMatch(/^# Column "shelf".*\nnodes:\n/);
});

test('what import writes of a table with jump hosts is valid', async () => {
  const [table, file] = [join(folder, 'nodes.csv'), join(folder, 'nodes.yaml')];
  await writeFile(table, 'name,ip,user,jump\na,10.0.0.1,root,hop@gate.example:2222\nb,10.0.0.2,root,a\n');
  expect((await keadm('import', 'csv', table, '--to', file, '--keadm-cmd', 'reset')).exitCode).toBe(0);
  expect(await keadm('validate', '-c', file)).toEqual({ exitCode: 0, out: `"${file}" is valid: 2 node(s)\n`, err: '' });
});

test.each([
  [['import', 'toml', 'x'], 'csv'],
  [['validate'], '--config'],
])('%j gets one line that says what is allowed, and exit code 2', async (args, word) => {
  const { exitCode, err } = await keadm(...args);
  expect(exitCode).toBe(2);
  expect(err).toContain(word);
});
