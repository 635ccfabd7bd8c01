import { get, request } from 'node:http';
import { join } from 'node:path';
import { type EdgecoreConfig, newMessage } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { expect, onTestFinished, test } from 'vitest';
import { configWith, runMemory, startModule } from '../meta/testing/running-memory.ts';
import type { TestCloud } from '../meta/testing/test-cloud.ts';
import { openStore } from '../meta/testing/open-store.ts';
import { temporaryFolder } from '../meta/testing/temporary-folder.ts';
import { metaServerModule } from './meta-server.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { followWatch } from './testing/follow-watch.ts';

test('the local API says what it serves, so that kubectl finds its way', async () => {
  const { url } = await startServer();
  expect(await read(`${url}/version`)).toMatchObject({ major: '1', minor: '32', gitVersion: VERSION });
  expect(await read(`${url}/api`)).toMatchObject({ versions: ['v1'] });
  expect(await read(`${url}/api/v1`)).toMatchObject({
    groupVersion: 'v1',
    resources: expect.arrayContaining([
      expect.objectContaining({ name: 'configmaps', kind: 'ConfigMap', namespaced: true, shortNames: ['cm'] }),
    ]),
  });
  expect(JSON.stringify(await read(`${url}/apis`))).toContain('"devices.kubeedge.io/v1beta1"');
  expect(await read(`${url}/apis/coordination.k8s.io`)).toMatchObject({ name: 'coordination.k8s.io' });
  expect(await (await fetch(`${url}/readyz`)).text()).toBe('ok');
});

test('the local API lists and gets what the node has, by namespace and selectors', async () => {
  const { url, cloud } = await startServer();
  push(cloud, 'insert', 'default/configmap/a', configMap('a', '1', { tier: 'web' }));
  push(cloud, 'insert', 'other/configmap/b', configMap('b', '2', { tier: 'db' }));
  const names = async (query: string): Promise<Json> => {
    const list = await read(`${url}/api/v1/${query}`);
    return list.items?.map(({ metadata }) => metadata.name) ?? null;
  };
  expect(await names('configmaps')).toEqual(['a', 'b']);
  expect(await names('namespaces/other/configmaps')).toEqual(['b']);
  expect(await names('configmaps?labelSelector=tier%20in%20(web,x),!gone')).toEqual(['a']);
  expect(await names('configmaps?labelSelector=tier!%3Dweb')).toEqual(['b']);
  expect(await names('configmaps?fieldSelector=metadata.name%3Db')).toEqual(['b']);
  expect(await names('pods')).toEqual([]);
  expect(await read(`${url}/api/v1/namespaces/default/configmaps/a`)).toMatchObject({
    kind: 'ConfigMap',
    data: { v: '1' },
  });
});

test('a list and its items are of the kind that was asked for', async () => {
  const { url, cloud } = await startServer();
  push(cloud, 'update', 'null/node/n1', { metadata: { name: 'n1', resourceVersion: '5' } });
  expect(await read(`${url}/api/v1/nodes`)).toMatchObject({
    kind: 'NodeList',
    apiVersion: 'v1',
    items: [{ kind: 'Node', apiVersion: 'v1', metadata: { name: 'n1', resourceVersion: '5' } }],
  });
  expect(await read(`${url}/api/v1/nodes/n1`)).toMatchObject({ kind: 'Node' });
});

test('what is not there, not allowed or not meant is refused as the Kubernetes API does', async () => {
  const { url } = await startServer();
  const status = async (path: string, method = 'GET'): Promise<Json> => {
    const response = await fetch(`${url}${path}`, { method });
    const { kind, code, reason } = await response.json();
    expect(code).toBe(response.status);
    return [kind, code, reason];
  };
  expect(await status('/api/v1/namespaces/default/pods/x')).toEqual(['Status', 404, 'NotFound']);
  expect(await status('/api/v1/gadgets')).toEqual(['Status', 404, 'NotFound']);
  expect(await status('/nowhere')).toEqual(['Status', 404, 'NotFound']);
  expect(await status('/api/v1/pods?labelSelector=a%20b%20c')).toEqual(['Status', 400, 'BadRequest']);
  expect(await status('/api/v1/namespaces/default/configmaps', 'POST')).toEqual(['Status', 405, 'MethodNotAllowed']);
  expect(await status('/%E0%A4%A')).toEqual(['Status', 400, 'BadRequest']);
});

test('a web page that gives this address its own name is refused', async () => {
  const { url } = await startServer();
  const code = new Promise((resolve, reject) => {
    request(`${url}/api/v1/secrets`, { headers: { host: 'evil.example:10550' } }, ({ statusCode }) =>
      resolve(statusCode),
    )
      .on('error', reject)
      .end();
  });
  expect(await code).toBe(403);
});

test('a watch begins with what there is and goes on with every change', async () => {
  const { url, cloud } = await startServer();
  push(cloud, 'insert', 'default/configmap/a', configMap('a', '1'));
  const watch = await followWatch(`${url}/api/v1/configmaps?watch=true`);
  push(cloud, 'update', 'default/configmap/a', configMap('a', '2'));
  push(cloud, 'insert', 'other/configmap/b', configMap('b', '3'));
  push(cloud, 'update', 'null/node/n1', { metadata: { name: 'n1' } });
  push(cloud, 'delete', 'default/configmap/a', configMap('a', '4'));
  expect(await watch.take(4)).toEqual(['ADDED a 1', 'MODIFIED a 2', 'ADDED b 3', 'DELETED a 2']);
});

test('a watch goes on from a list without a gap, even when older versions arrive later', async () => {
  const { url, cloud } = await startServer();
  push(cloud, 'insert', 'default/configmap/new', configMap('new', '900'));
  const { metadata } = await read(`${url}/api/v1/configmaps`);
  push(cloud, 'insert', 'default/configmap/old', configMap('old', '5'));
  const watch = await followWatch(`${url}/api/v1/configmaps?watch=1&resourceVersion=${metadata.resourceVersion}`);
  push(cloud, 'insert', 'default/configmap/older', configMap('older', '4'));
  expect(await watch.take(2)).toEqual(['ADDED old 5', 'ADDED older 4']);
});

test('a watch with a selector sees objects come into it and leave it', async () => {
  const { url, cloud } = await startServer();
  const watch = await followWatch(`${url}/api/v1/namespaces/default/configmaps?watch=true&labelSelector=on`);
  push(cloud, 'insert', 'default/configmap/a', configMap('a', '1'));
  push(cloud, 'update', 'default/configmap/a', configMap('a', '2', { on: '' }));
  push(cloud, 'update', 'default/configmap/a', configMap('a', '3'));
  expect(await watch.take(2)).toEqual(['ADDED a 2', 'DELETED a 3']);
});

test('a watch from a version that is no longer known is instructed to list again', async () => {
  const { url, cloud } = await startServer();
  const { metadata } = await read(`${url}/api/v1/configmaps`);
  for (let version = 1; version <= 210; version += 1) {
    push(cloud, 'update', 'default/configmap/a', configMap('a', String(version)));
  }
  const codes = [metadata.resourceVersion, '812'].map(
    async (from) => (await fetch(`${url}/api/v1/configmaps?watch=true&resourceVersion=${from}`)).status,
  );
  expect(await Promise.all(codes)).toEqual([410, 410]);
});

test('a watch that asks for it gets a bookmark where its initial objects end, and ends when its time is over', async () => {
  const { url, cloud } = await startServer();
  push(cloud, 'insert', 'default/configmap/a', configMap('a', '1'));
  const query = 'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=1';
  const lines = (await (await fetch(`${url}/api/v1/configmaps?${query}`)).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['ADDED', 'BOOKMARK']);
  expect(lines[1]).toContain('"k8s.io/initial-events-end":"true"');
});

test('a watch begins with all there is however much that is, and goes on with what came in the meantime', async () => {
  const file = join(temporaryFolder(), 'edgecore.db');
  fill(file, 2_000);
  const { url, cloud } = await startServer(file);
  const watch = await followWatch(`${url}/api/v1/configmaps?watch=true`);
  push(cloud, 'insert', 'default/configmap/new', configMap('new', '5'));
  const events = await watch.take(2_001);
  expect(events).toHaveLength(2_001);
  expect(events[1_999]).toBe('ADDED many-1999 1');
  expect(events[2_000]).toBe('ADDED new 5');
});

test('a follower that reads nothing is cut off once it is too far behind', async () => {
  const file = join(temporaryFolder(), 'edgecore.db');
  fill(file, 2_000);
  const { url, cloud } = await startServer(file);
  const cut = new Promise((resolve) => {
    get(`${url}/api/v1/configmaps?watch=true`, (response) => {
      response.on('error', resolve).pause();
      for (let version = 1; version <= 10; version += 1) {
        push(
          cloud,
          'update',
          'default/configmap/big',
          configMap('big', String(version), { on: 'x'.repeat(1_000_000) }),
        );
      }
      setTimeout(() => response.resume(), 50);
    });
  });
  expect(await cut).toMatchObject({ code: 'ECONNRESET' });
});

test('while the memory is closed the local API says so, and a taken address is a catalogue error', async () => {
  const { url, stopMemory, config, definition } = await startServer();
  await expect(startModule(definition, config)).rejects.toMatchObject({ code: 'SERVICE_CONFLICT' });
  await stopMemory();
  expect((await fetch(`${url}/api/v1/pods`)).status).toBe(503);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});

test('with authorization asked for, the local API does not serve everybody', async () => {
  const { config, definition } = await startServer();
  const strict = { ...config, featureGates: { requireAuthorization: true } };
  const module = await startModule(definition, strict);
  expect(module.health()).toMatchObject({ state: 'failed' });
  await module.stop();
});

test('stopping ends the watches', async () => {
  const { url, stop } = await startServer();
  const ended = new Promise((resolve) => {
    get(`${url}/api/v1/pods?watch=true`, (response) => {
      response.on('close', resolve).resume();
      void stop();
    });
  });
  await ended;
});

const VERSION = 'v1.32.10-kubeedge-v0.1.0';

interface Answer {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly items?: readonly Answer[];
}

async function read(url: string): Promise<Answer> {
  const answer: Answer = await (await fetch(url)).json();
  return answer;
}

/** Puts objects of ten kilobytes each into a database. */
function fill(file: string, count: number): void {
  const store = openStore(file);
  const kind = { group: '', version: 'v1', plural: 'configmaps' };
  store.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const name = `many-${String(index).padStart(4, '0')}`;
      const value = JSON.stringify(configMap(name, '1', { on: 'x'.repeat(10_000) }));
      store.putObject({ kind, namespace: 'default', name, resourceVersion: 1n, value });
    }
  });
  store.close();
}

async function startServer(file = join(temporaryFolder(), 'edgecore.db')) {
  const { cloud, memory, stop: stopMemory } = await runMemory(file);
  cloud.connect();
  const server = `127.0.0.1:${await freePort()}`;
  const config = withServer(configWith(file), server);
  const definition = metaServerModule({ memory, kubeletVersion: VERSION });
  const module = await startModule(definition, config);
  const stop = async (): Promise<void> => module.stop();
  onTestFinished(async () => {
    await stop();
    await stopMemory();
  });
  return { url: `http://${server}`, cloud, config, definition, stop, stopMemory };
}

function withServer(config: EdgecoreConfig, server: string): EdgecoreConfig {
  const { metaManager } = config.modules;
  const metaServer = { ...metaManager.metaServer, enable: true, server };
  return { ...config, modules: { ...config.modules, metaManager: { ...metaManager, metaServer } } };
}

function configMap(name: string, resourceVersion: string, labels: Record<string, string> = {}): Json {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion, labels }, data: { v: resourceVersion } };
}

function push(cloud: TestCloud, operation: string, resource: string, content: Json): void {
  cloud.send(newMessage({ source: 'edgecontroller', group: 'resource', operation, resource, content }));
}
