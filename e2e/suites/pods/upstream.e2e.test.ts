import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeMessage, objectAnswer, replyTo, type Message } from '@fenestra/contracts';
import { connectRuntime, type ContainerRuntime } from '@fenestra/cri';
import { type NodeSession, startTestCloud, type TestCloud } from '@fenestra/edgecore/testing/test-cloud';
import type { Json } from '@fenestra/kernel';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ourExecutable } from '../../../bench/executables.ts';
import { commandFailed } from '../../support/beds/command.ts';
import { type PodRuntime, startPodRuntime } from '../../support/beds/pod-runtime.ts';
import { POD_IMAGE } from '../../support/beds/test-images.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { SHARED_DISK } from '../../support/cloud/pod-cloud.ts';
import { openRelay, type Relay } from '../../support/cloud/relay.ts';

const { signal } = new AbortController();
const StatusPatch = z.object({ status: z.looseObject({}) });
const NODE = 'press-1';
const UID = '0b3f6a52-6a1c-4f1e-9d55-3f1c8a3f0c11';

/** Objects as Go marshals them: no kind, empty structures, and null for what was never set. */
const GO_SECRET = {
  metadata: { name: 'shop-secret', namespace: 'shop', uid: 'a1', resourceVersion: '801', creationTimestamp: null },
  data: { password: 'aHVudGVyMg==' },
  type: 'Opaque',
};
const GO_POD = {
  metadata: {
    name: 'till',
    generateName: 'till-',
    namespace: 'shop',
    uid: UID,
    resourceVersion: '812',
    creationTimestamp: '2026-11-02T09:00:00Z',
    labels: { app: 'till', 'pod-template-hash': '5d4f' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'till-5d4f',
        uid: 'b2',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    managedFields: [
      {
        manager: 'kube-controller-manager',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: {},
      },
    ],
  },
  spec: {
    volumes: [
      { name: 'secret', secret: { secretName: 'shop-secret', defaultMode: 420 } },
      {
        name: 'kube-api-access-x7',
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            {
              downwardAPI: {
                items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
              },
            },
          ],
          defaultMode: 420,
        },
      },
    ],
    containers: [
      {
        name: 'main',
        image: POD_IMAGE,
        command: [
          '/bin/sh',
          '-c',
          'cat /secret/password /api/namespace; echo; cut -c1-5 /api/token; trap "exit 0" TERM; while :; do sleep 0.2; done',
        ],
        resources: {},
        volumeMounts: [
          { name: 'secret', readOnly: true, mountPath: '/secret' },
          { name: 'kube-api-access-x7', readOnly: true, mountPath: '/api' },
        ],
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 1,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    serviceAccount: 'default',
    nodeName: NODE,
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  },
  status: {
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-11-02T09:00:00Z' },
    ],
    qosClass: 'BestEffort',
  },
};

const TOKEN_REQUEST = {
  metadata: { name: 'default', namespace: 'shop', creationTimestamp: null },
  spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3607, boundObjectRef: null },
};

describe('a node that a Go CloudCore manages', () => {
  let runtime: PodRuntime;
  let cri: ContainerRuntime;
  let cloud: TestCloud;
  let relay: Relay;
  let nodeRoot: string;
  const received: Message[] = [];
  let timer: NodeJS.Timeout;

  beforeAll(async () => {
    runtime = await startPodRuntime(signal);
    cri = connectRuntime(runtime.endpoint);
    cloud = await startTestCloud();
    nodeRoot = join(runtime.folder, 'node');
    const answered = new Set<NodeSession>();
    timer = setInterval(() => cloud.sessions.forEach((session) => answerOnce(session, answered)), 20);
    relay = await openWay();
    await joinNode();
  });
  afterAll(async () => {
    clearInterval(timer);
    cri?.close();
    await relay?.close();
    await runtime?.stop();
    await cloud?.stop();
  });

  /** Makes the cloud's port reachable in the network of the node. */
  async function openWay(): Promise<Relay> {
    const way = { path: join(runtime.folder, 'cloud.sock') };
    const opened = await openRelay(way, { port: cloud.port });
    const program = join(import.meta.dirname, '../../support/cloud/network-door.ts');
    const argv = [process.execPath, program, JSON.stringify([[{ port: cloud.port }, way]])];
    const door = runtime.cage.spawn(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    if (door.stdout !== null) await once(door.stdout, 'data', { signal });
    return opened;
  }

  async function joinNode(): Promise<void> {
    const keadm = join(runtime.folder, 'keadm');
    const token = join(runtime.folder, 'token');
    await copyFile(ourExecutable(), keadm);
    await writeFile(token, cloud.authority.token(Date.now() + 3_600_000), { mode: 0o600 });
    const flags = [
      '--cloudcore-ip=127.0.0.1',
      `--hub-port=${cloud.port}`,
      `--certport=${cloud.port}`,
      `--edgenode-name=${NODE}`,
      `--token-file=${token}`,
      `--remote-runtime-endpoint=${runtime.endpoint}`,
      '--settle=1s',
      '--skip-check=ports',
      ...SHARED_DISK,
    ];
    const argv = [keadm, 'join', '--root', nodeRoot, ...flags];
    const result = await runtime.cage.run(argv, { timeoutMs: 240_000 }, signal);
    if (result.exitCode !== 0) throw commandFailed(argv.join(' '), result);
  }

  function answerOnce(session: NodeSession, answered: Set<NodeSession>): void {
    if (answered.has(session)) return;
    answered.add(session);
    for (const message of session.messages) answer(session, message);
    session.socket.on('message', (data: Buffer) => answer(session, decodeMessage(data)));
  }

  /** Answers as its controllers do. */
  function answer(session: NodeSession, message: Message): void {
    const { group, resource, operation } = message.route;
    if (group !== 'meta') return;
    received.push(message);
    const name = resource.split('/').at(-1) ?? '';
    const contents: Record<string, Json> = {
      'shop/secret/shop-secret': GO_SECRET,
      'shop/serviceaccounttoken/default': {
        ...TOKEN_REQUEST,
        status: { token: 'eyJhbGciOi.e30.c2ln', expirationTimestamp: new Date(Date.now() + 3_607_000).toISOString() },
      },
      'shop/pod/till': 'OK',
    };
    const object = { metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: null } };
    const content = contents[resource] ?? (operation === 'query' ? object : objectAnswer(object));
    session.send(replyTo(message, { source: 'edgecontroller', group: 'resource', content }));
  }

  /** Sends a frame as Go writes it, and waits until the node has stored what is in it. */
  async function send(operation: string, pod: object): Promise<void> {
    const session = cloud.sessions.findLast(({ socket }) => socket.readyState === socket.OPEN);
    const id = randomUUID();
    const header = { msg_id: id, timestamp: Date.now(), resourceversion: '812' };
    const route = { source: 'edgecontroller', group: 'resource', operation, resource: 'shop/pod/till' };
    session?.socket.send(JSON.stringify({ header, route, content: pod }), { binary: false });
    const isStored = (): boolean => session?.messages.some((each) => each.header.parentId === id) ?? false;
    await vi.waitUntil(isStored, PATIENCE);
  }

  async function containers(): Promise<readonly string[]> {
    const found = await cri.listContainers({ labelSelector: { 'io.kubernetes.pod.uid': UID } }, signal);
    return found.map(({ id }) => id);
  }

  /** The status that the node has reported, all its patches applied in their order. */
  function reported(): object {
    const patches = received.filter(({ route }) => route.resource === 'shop/podpatch/till');
    const texts = patches.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
    return Object.assign({}, ...texts.map((text) => StatusPatch.parse(JSON.parse(text)).status));
  }

  test('runs its pod, with what the pod refers to, and reports that it is ready', async () => {
    await send('insert', GO_POD);
    await vi.waitFor(() => expect(reported()).toMatchObject({ phase: 'Running' }), PATIENCE);
    const log = join(nodeRoot, 'var/log/pods', `shop_till_${UID}`, 'main/0.log');
    const output = async (): Promise<string> =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .map((line) => line.split(' ').slice(3).join(' '))
        .join('\n');
    await vi.waitFor(async () => expect(await output()).toBe('hunter2shop\neyJhb\n'), PATIENCE);
    expect(reported()).toMatchObject({ containerStatuses: [{ name: 'main', ready: true, restartCount: 0 }] });
    const asked = received.filter(({ route }) => route.operation === 'query').map(({ route }) => route.resource);
    expect(asked).toEqual(expect.arrayContaining(['shop/secret/shop-secret', 'shop/serviceaccounttoken/default']));
  });

  test('is not disturbed by an update that repeats the pod', async () => {
    const before = await containers();
    const metadata = { ...GO_POD.metadata, resourceVersion: '813', annotations: { note: 'seen' } };
    await send('update', { ...GO_POD, metadata });
    expect(await containers()).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test('ends the pod when it is marked as deleted, and asks the cloud to delete it', async () => {
    const metadata = { ...GO_POD.metadata, deletionTimestamp: new Date().toISOString(), deletionGracePeriodSeconds: 1 };
    await send('update', { ...GO_POD, metadata });
    await vi.waitFor(() => {
      const last = received.find(({ route }) => route.resource === 'shop/pod/till' && route.operation === 'delete');
      expect(last?.content).toMatchObject({ preconditions: { uid: UID } });
    }, PATIENCE);
    await send('delete', { ...GO_POD, metadata });
    await vi.waitFor(async () => expect(await containers()).toEqual([]), PATIENCE);
    await vi.waitFor(async () => expect(await readdir(join(nodeRoot, 'var/log/pods'))).toEqual([]), PATIENCE);
  });
});
