import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRealObjects, type RealObjects } from '../kinds/testing/real-objects.ts';
import { SYSTEM_USER } from '../objects/object-service.ts';
import { removeExpired, startEventMirror } from './expiry.ts';
import { createNodeMonitor } from './node-monitor.ts';

const SECONDS = 1000;
const HOURS = 3_600_000;

let real: RealObjects;
let now: number;

beforeEach(async () => {
  real = await openRealObjects();
  now = Date.now();
});
afterEach(async () => real.close());

function monitor(): () => Promise<void> {
  const { objects, kinds } = real;
  return createNodeMonitor({ objects, kinds, log: silentLogger(), now: () => new Date(now) });
}

function nodeReady(): unknown {
  const node = real.objects.get(real.kinds.node, { namespace: '', name: 'edge-1' });
  return node?.['status'];
}

const READY = {
  status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2026-01-01T00:00:00Z' }] },
};

test('a node that gives no sign for 40 seconds is called unknown, with an event', async () => {
  await real.create(real.kinds.node, 'edge-1', READY);
  const round = monitor();
  await round();
  now += 39 * SECONDS;
  await round();
  expect(nodeReady()).toMatchObject({ conditions: [{ status: 'True' }] });
  now += 2 * SECONDS;
  await round();
  expect(nodeReady()).toMatchObject({
    conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }],
  });
  expect(real.objects.list(real.kinds.event)).toMatchObject([{ reason: 'NodeNotReady' }]);
});

test('a node whose lease is renewed stays ready, whatever its own clock says', async () => {
  await real.create(real.kinds.node, 'edge-1', READY);
  await real.create(
    real.kinds.lease,
    'edge-1',
    { spec: { renewTime: '1999-01-01T00:00:00.000000Z' } },
    'kube-node-lease',
  );
  const round = monitor();
  const key = { namespace: 'kube-node-lease', name: 'edge-1' };
  for (const second of ['10', '40', '59']) {
    await round();
    now += 30 * SECONDS;
    const spec = { renewTime: `1999-01-01T00:00:${second}.000000Z` };
    await real.objects.update(real.kinds.lease, key, (lease) => ({ ...lease, spec }), { user: SYSTEM_USER });
  }
  await round();
  expect(nodeReady()).toMatchObject({ conditions: [{ status: 'True' }] });
});

test('pods of a node that is no more are removed after a while, and those of others stay', async () => {
  const containers = [{ name: 'a', image: 'b' }];
  await real.create(real.kinds.node, 'edge-1', READY);
  await real.create(real.kinds.pod, 'kept', { spec: { containers, nodeName: 'edge-1' } });
  await real.create(real.kinds.pod, 'lost', { spec: { containers, nodeName: 'gone' } });
  const round = monitor();
  await round();
  expect(real.objects.list(real.kinds.pod)).toHaveLength(2);
  now += 41 * SECONDS;
  await round();
  expect(real.objects.list(real.kinds.pod).map((pod) => pod.metadata.name)).toEqual(['kept']);
});

test('events are forgotten after an hour', async () => {
  const { objects, kinds } = real;
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  await real.create(kinds.event, 'old', { involvedObject, lastTimestamp: new Date(now - 2 * HOURS).toISOString() });
  await real.create(kinds.event, 'new', { involvedObject, lastTimestamp: new Date(now).toISOString() });
  const events = [kinds.event, kinds.newEvent];
  const signingRequests = kinds.certificateSigningRequest;
  await removeExpired({ objects, events, signingRequests, log: silentLogger(), now: () => new Date(now) });
  expect(objects.list(kinds.event).map((event) => event.metadata.name)).toEqual(['new']);
});

test('an event of the newer form is listed in the core form too', async () => {
  const stop = new AbortController();
  const { objects, kinds } = real;
  startEventMirror({ objects, core: kinds.event, newer: kinds.newEvent, log: silentLogger() }, stop.signal);
  await real.create(kinds.newEvent, 'e', {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/x',
    reportingInstance: 'x-1',
    action: 'Do',
    reason: 'Done',
    note: 'It is done',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
  });
  await expect
    .poll(() => objects.get(kinds.event, { namespace: 'default', name: 'e' }))
    .toMatchObject({ message: 'It is done', reason: 'Done', involvedObject: { name: 'p' }, count: 1 });
  stop.abort();
});
