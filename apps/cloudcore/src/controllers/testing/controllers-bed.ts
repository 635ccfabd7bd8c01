import { newMessage, type Message } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { KINDS, valueAt, type JsonObject } from '@fenestra/kube-api';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { TestAuthority } from '../../testing/test-cloud.ts';
import type { TestNode } from '../../testing/test-node.ts';
import { startRecordingApi, type RecordingApi } from './recording-api.ts';
import { answerTo, startReplica, testAuthority, type TestReplica } from './test-controllers.ts';

/** A cluster with two nodes, a ConfigMap and two Secrets, again for every test of a file. */
export interface ControllersBed {
  readonly cluster: () => RecordingApi;
  /** Starts a replica and waits until it has read the cluster. It is stopped after the test. */
  readonly replica: (options?: Parameters<typeof startReplica>[2]) => Promise<TestReplica>;
  /** Puts pod `ns/web` on node `n1`; it needs ConfigMap `app` and, in an init container, Secret `key`. */
  readonly putPod: (spec?: JsonObject, extra?: JsonObject) => JsonObject;
}

const POD_SPEC: JsonObject = {
  nodeName: 'n1',
  serviceAccountName: 'runner',
  volumes: [{ name: 'v', configMap: { name: 'app' } }],
  initContainers: [{ name: 'i', env: [{ name: 'K', valueFrom: { secretKeyRef: { name: 'key', key: 'k' } } }] }],
};

/** Prepares the tests of a file. */
export function controllersBed(): ControllersBed {
  let authority: TestAuthority;
  let cluster: RecordingApi;
  let replicas: TestReplica[] = [];
  beforeAll(async () => {
    authority = await testAuthority();
  });
  beforeEach(async () => {
    cluster = await startRecordingApi();
    for (const name of ['n1', 'n2']) cluster.put(KINDS.node, { metadata: { name, labels: {} } });
    cluster.put(KINDS.configMap, { metadata: { namespace: 'ns', name: 'app' }, data: { k: '1' } });
    cluster.put(KINDS.secret, { metadata: { namespace: 'ns', name: 'key' }, data: {} });
    cluster.put(KINDS.secret, { metadata: { namespace: 'ns', name: 'other' }, data: {} });
  });
  afterEach(async () => {
    for (const replica of replicas) await replica.stop();
    replicas = [];
    await cluster.close();
  });
  return {
    cluster: () => cluster,
    async replica(options) {
      const started = await startReplica(cluster, authority, options);
      replicas.push(started);
      await vi.waitFor(() => expect(started.controllers.ready).toBe(true));
      return started;
    },
    putPod(spec = {}, extra = {}) {
      const metadata = { namespace: 'ns', name: 'web', uid: 'pod-uid' };
      return cluster.put(KINDS.pod, { metadata, spec: { ...POD_SPEC, ...spec }, ...extra });
    },
  };
}

/** Waits until something holds. */
export const eventually = (check: () => void) => vi.waitFor(check, { timeout: 4_000, interval: 10 });

/** Waits until nothing more is to be expected. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 150));

/** A node's question, sent. */
export function ask(node: TestNode, operation: string, resource: string, content: Json = null): Message {
  const message = newMessage({ source: 'edged', group: 'meta', operation, resource, content });
  node.send(message);
  return message;
}

/** The answer to it. */
export async function answered(node: TestNode, message: Message): Promise<Json> {
  await eventually(() => expect(answerTo(node, message)).toBeDefined());
  const route = { source: 'edgecontroller', group: 'resource', operation: 'response' };
  expect(answerTo(node, message)?.route).toMatchObject(route);
  return answerTo(node, message)?.content ?? null;
}

/** The HTTP status of a failed answer, in either form. */
export function codeOf(content: Json): Json | undefined {
  return valueAt(content, 'ErrStatus', 'code') ?? valueAt(content, 'Err', 'ErrStatus', 'code');
}
