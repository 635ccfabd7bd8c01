import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAMAGED_OBJECTS_PATH } from '@fenestra/contracts';
import { KINDS, openKubeApi } from '@fenestra/kube-api';
import { startKubelite, type Kubelite } from '@fenestra/kubelite';
import { openCloudAdmin } from '@fenestra/lifecycle/cloud';
import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';

const { signal } = new AbortController();
const LOST = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'lost' } };
let folder = '';
let running: Kubelite;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damaged-'));
  running = await start();
});

afterEach(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

test('an administrator sees what a damaged database lost until it is created again; others do not', async () => {
  await create();
  await running.close();
  damage();
  running = await start();
  expect(await damagedObjects()).toEqual([
    { resource: 'configmaps', namespace: 'default', name: 'lost', reason: expect.any(String) },
  ]);
  const cloudcore = await openKubeApi({ kubeconfig: running.cloudcoreKubeconfig });
  await expect(cloudcore.text(DAMAGED_OBJECTS_PATH, signal)).rejects.toMatchObject({ code: 'API_FORBIDDEN' });
  cloudcore.close();
  await create();
  expect(await damagedObjects()).toEqual([]);
});

async function start(): Promise<Kubelite> {
  const place = { folder, address: '127.0.0.1', port: 0 };
  return startKubelite({ ...place, log: silentLogger(), now: () => new Date() }, signal);
}

async function create(): Promise<void> {
  const api = await openKubeApi({ kubeconfig: running.adminKubeconfig });
  await api.create(KINDS.configMap, LOST, signal);
  api.close();
}

function damage(): void {
  const database = new DatabaseSync(join(folder, 'objects.db'));
  database.exec(`UPDATE objects SET checksum = checksum + 1 WHERE name = 'lost'`);
  database.close();
}

async function damagedObjects(): Promise<unknown> {
  const file = join(folder, 'admin.kubeconfig');
  await writeFile(file, running.adminKubeconfig);
  const admin = await openCloudAdmin(file);
  try {
    return await admin.damagedObjects(signal);
  } finally {
    admin.close();
  }
}
