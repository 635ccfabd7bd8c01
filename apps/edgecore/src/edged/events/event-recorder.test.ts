import { EventPatch, type Message, readContent } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { KUBELET_EVENTS, type Pod } from '@fenestra/pods';
import { expect, onTestFinished, test, vi } from 'vitest';
import { podOf } from '../testing/pods.ts';
import { type EventRecorder, eventRecorder } from './event-recorder.ts';

/** The way to a cloud that can be away. */
class Link {
  readonly messages: Message[] = [];
  connected = true;
  #listener = (): void => {};

  onConnected(listener: () => void) {
    this.#listener = listener;
    return () => {};
  }

  async deliver(message: Message): Promise<void> {
    if (!this.connected) throw new Error('not connected');
    this.messages.push(message);
  }

  connect(): void {
    this.connected = true;
    this.#listener();
  }

  get operations() {
    return this.messages.map(({ route }) => route.operation);
  }
}

const NOW = Date.parse('2026-01-01T00:00:00Z');
const now = (): number => NOW;

function recorderFor(link: Link, limits = { perSecond: 0, burst: 0 }): EventRecorder {
  const ending = new AbortController();
  const log = silentLogger();
  const recorder = eventRecorder({ hub: link, log, nodeName: 'edge-1', now, ...limits }, ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await recorder.ended;
  });
  return recorder;
}

const POD = podOf();
const podNamed = (index: number): Pod => ({ ...POD, metadata: { ...POD.metadata, uid: `uid-${index}` } });
const STARTED = KUBELET_EVENTS.started('main');

test('an event is sent whole, and its repetition as a patch in JSON text', async () => {
  const link = new Link();
  const recorder = recorderFor(link);
  recorder.record(POD, STARTED, 'main');
  await vi.waitFor(() => expect(link.messages).toHaveLength(1));
  recorder.record(POD, STARTED, 'main');
  await vi.waitFor(() => expect(link.operations).toEqual(['insert', 'patch']));
  const [insert, patch] = link.messages;
  expect(insert?.content).toMatchObject({
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'uid-1', fieldPath: 'spec.containers{main}' },
    type: 'Normal',
    reason: 'Started',
    message: 'Started container main',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
    source: { component: 'kubelet', host: 'edge-1' },
  });
  expect(patch?.route.resource).toBe(insert?.route.resource);
  if (patch === undefined) throw new Error('no patch');
  expect(JSON.parse(readContent(EventPatch, patch).patchData)).toEqual({
    count: 2,
    lastTimestamp: '2026-01-01T00:00:00Z',
    message: 'Started container main',
  });
});

test('an event about the node is in the namespace "default"', async () => {
  const link = new Link();
  recorderFor(link).recordNode(KUBELET_EVENTS.nodeReadiness('edge-1', true));
  await vi.waitFor(() => expect(link.messages).toHaveLength(1));
  expect(link.messages[0]?.route.resource).toMatch(/^default\/event\/edge-1\./);
  expect(link.messages[0]?.content).toMatchObject({ involvedObject: { kind: 'Node', name: 'edge-1', uid: 'edge-1' } });
});

test('events of the time without the cloud arrive once each, with their counts', async () => {
  const link = new Link();
  link.connected = false;
  const recorder = recorderFor(link);
  recorder.record(POD, KUBELET_EVENTS.created('main'), 'main');
  for (let count = 0; count < 3; count += 1) recorder.record(POD, STARTED, 'main');
  link.connect();
  await vi.waitFor(() => expect(link.messages).toHaveLength(2));
  expect(link.operations).toEqual(['insert', 'insert']);
  expect(link.messages[1]?.content).toMatchObject({ reason: 'Started', count: 3 });
});

test('without the cloud the oldest of more than 500 events are dropped', async () => {
  const link = new Link();
  link.connected = false;
  const recorder = recorderFor(link);
  for (let index = 0; index < 600; index += 1) recorder.record(podNamed(index), STARTED);
  link.connect();
  await vi.waitFor(() => expect(link.messages).toHaveLength(500));
  expect(link.messages[0]?.content).toMatchObject({ involvedObject: { uid: 'uid-100' } });
});

test('an event that cannot be sent is sent later', async () => {
  const link = new Link();
  const deliver = vi.spyOn(link, 'deliver').mockRejectedValueOnce(new Error('the queue is full'));
  recorderFor(link).record(POD, STARTED);
  await vi.waitFor(() => expect(link.operations).toEqual(['insert']), 5000);
  expect(deliver).toHaveBeenCalledTimes(2);
});

test('no more events are sent at once than configured, and the others follow', async () => {
  const link = new Link();
  const recorder = recorderFor(link, { perSecond: 20, burst: 3 });
  const start = performance.now();
  for (let index = 0; index < 8; index += 1) recorder.record(POD, KUBELET_EVENTS.started(`c${index}`));
  await vi.waitFor(() => expect(link.messages).toHaveLength(8), 5000);
  expect(performance.now() - start).toBeGreaterThan(200);
});
