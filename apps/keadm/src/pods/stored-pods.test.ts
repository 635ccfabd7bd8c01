import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { readStoredPods } from './stored-pods.ts';

const META = 'CREATE TABLE meta_v2 (key text, group_version_resource text, value text)';
const RECORDS = 'CREATE TABLE fenestra_pod (key text, value text)';
const POD = {
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: { nodeName: 'edge', containers: [{ name: 'main', image: 'web:1' }] },
};

async function databaseWith(fill: (database: DatabaseSync) => void): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'fenestra-stored-pods-')), 'edgecore.db');
  const database = new DatabaseSync(file);
  database.exec(META);
  database.prepare('INSERT INTO meta_v2 VALUES (?, ?, ?)').run('k', '/v1, Resource=pods', JSON.stringify(POD));
  fill(database);
  database.close();
  return file;
}

test('a stored pod has the status that the agent made last', async () => {
  const file = await databaseWith((database) => {
    database.exec(RECORDS);
    const record = JSON.stringify({ status: { phase: 'Running' } });
    database.prepare('INSERT INTO fenestra_pod VALUES (?, ?)').run('u1', record);
  });
  expect(await readStoredPods(file, 'edge')).toMatchObject([
    { pod: { metadata: { name: 'web' } }, status: { phase: 'Running' } },
  ]);
  expect(await readStoredPods(file, 'other')).toEqual([]);
});

test('the database of an agent of KubeEdge has pods without a status', async () => {
  const [stored, ...others] = await readStoredPods(await databaseWith(() => undefined), 'edge');
  expect(stored).toMatchObject({ pod: { metadata: { name: 'web' } } });
  expect(stored).not.toHaveProperty('status');
  expect(others).toEqual([]);
});

test('a damaged database is refused', async () => {
  const file = await databaseWith(() => undefined);
  await writeFile(file, 'no database '.repeat(1_000));
  await expect(readStoredPods(file, 'edge')).rejects.toThrow('Cannot read the database');
});
