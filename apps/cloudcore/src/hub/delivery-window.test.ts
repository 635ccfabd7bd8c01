import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObjectVersion } from './delivery-queues.ts';
import { DeliveryWindow } from './delivery-window.ts';
import { WINDOW } from './window-options.ts';

const OPTIONS = { ...WINDOW, random: () => 1 };

test('take: sends different objects at once, but no more than the window holds', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  for (let index = 0; index < 50; index += 1) window.offer(version(`object-${index}`, 1), 0);
  expect(takeAll(window, 0)).toHaveLength(OPTIONS.size);
  window.acknowledge('object-7@1', 1);
  expect(takeAll(window, 1).map(({ key }) => key)).toEqual(['object-32']);
});

test('offer: only the latest version of an object is sent, and only after the one under way is answered', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  for (const number of [1, 2, 3]) window.offer(version('a', number), 0);
  expect(ids(takeAll(window, 0))).toEqual(['a@3']);
  window.offer(version('a', 4), 1);
  window.offer(version('a', 5), 1);
  expect(takeAll(window, 1)).toEqual([]);
  expect(window.acknowledge('a@3', 2)?.resourceVersion).toBe('3');
  expect(ids(takeAll(window, 2))).toEqual(['a@5']);
});

test('offer: the version that is under way, or a lower one, changes nothing; a delete beats everything', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  window.offer(version('a', 9), 0);
  takeAll(window, 0);
  expect(window.offer(version('a', 9), 1)).toBe(false);
  expect(window.offer(version('a', 10), 1)).toBe(true);
  expect(window.offer(version('a', 9), 1)).toBe(false);
  expect(window.offer({ ...version('a', 3), deletes: true }, 1)).toBe(true);
  expect(window.offer(version('a', 3), 1)).toBe(false);
});

test('take: an object without an answer is repeated ever more seldom', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  window.offer(version('a', 1), 0);
  const sent = [];
  for (let now = 0; now < 120_000; now += 250) if (window.take(now) !== undefined) sent.push(now);
  expect(sent).toEqual([0, 6_000, 13_000, 22_000, 35_000, 56_000, 93_000]);
});

test('take: more stuck objects than the window holds leave room for the others', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  for (let index = 0; index < 40; index += 1) window.offer(version(`stuck-${index}`, 1), 0);
  let waited = 0;
  for (let now = 0; now < 300_000; now += 250) {
    if (now % 1_000 === 0) window.offer(version(`fine-${now}`, 1), now);
    for (const { id, key } of takeAll(window, now)) {
      if (!key.startsWith('fine')) continue;
      waited = Math.max(waited, now - Number(key.slice(5)));
      window.acknowledge(id, now);
    }
  }
  // The first round of stuck objects is found out only by waiting for their answers.
  expect(waited).toBe(OPTIONS.answerMs);
  window.offer(version('late', 1), 300_000);
  expect(ids(takeAll(window, 300_000))).toContain('late@1');
});

test('take: a node that answers nothing is only probed, and gets everything once it does answer', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  for (let index = 0; index < 300; index += 1) window.offer(version(`object-${index}`, 1), 0);
  let sent = 0;
  for (let now = 0; now < 120_000; now += 250) sent += takeAll(window, now).length;
  expect(sent).toBeLessThan(OPTIONS.unanswered + 5);
  for (let now = 120_000; now < 1_000_000 && window.size > 0; now += 250) {
    for (const { id } of takeAll(window, now)) window.acknowledge(id, now);
  }
  expect(window.size).toBe(0);
});

test('acknowledge: an answer that comes late still counts', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  window.offer(version('a', 1), 0);
  takeAll(window, 0);
  takeAll(window, OPTIONS.answerMs);
  expect(window.acknowledge('a@1', OPTIONS.answerMs + 1)?.key).toBe('a');
  expect(window.size).toBe(0);
});

test('refuse: frees the place at once and repeats later', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  window.offer(version('a', 1), 0);
  takeAll(window, 0);
  expect(window.refuse('a@1', 10)?.key).toBe('a');
  expect(takeAll(window, 500)).toEqual([]);
  expect(ids(takeAll(window, 1_010))).toEqual(['a@1']);
});

test('drop: an object that was dropped is neither sent nor acknowledged', () => {
  const window = new DeliveryWindow<ObjectVersion>(OPTIONS);
  window.offer(version('a', 1), 0);
  takeAll(window, 0);
  window.drop('a');
  expect(window.acknowledge('a@1', 1)).toBeUndefined();
  expect(window.size).toBe(0);
});

type Event =
  | { readonly kind: 'change'; readonly object: number; readonly deletes: boolean }
  | { readonly kind: 'pass'; readonly milliseconds: number }
  | { readonly kind: 'answer'; readonly pick: number; readonly refused: boolean }
  | { readonly kind: 'reconnect' };

const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('change'), object: fc.nat(60), deletes: rarely() }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass'), milliseconds: fc.nat(20_000) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer'), pick: fc.nat(100), refused: rarely() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reconnect') }) },
  ),
  { maxLength: 300 },
) satisfies fc.Arbitrary<Event[]>;

test('whatever is lost, every latest version is acknowledged in the end, the window holds and nothing goes back', () => {
  fc.assert(
    fc.property(events, (happened) => {
      const node = simulatedNode();
      for (const event of happened) node.meet(event);
      node.recover();
      expect(node.acknowledged()).toEqual(node.latest());
    }),
    { numRuns: 150 },
  );
});

/** A node whose answers get lost, and the two promises that hold at every moment. */
function simulatedNode() {
  const window = new DeliveryWindow<ObjectVersion>(WINDOW);
  const latest = new Map<string, number>();
  const acknowledged = new Map<string, number>();
  const newestSent = new Map<string, number>();
  let unanswered: string[] = [];
  let now = 0;
  const send = (): void => {
    for (const { id, key, resourceVersion } of takeAll(window, now)) {
      expect(Number(resourceVersion)).toBeGreaterThanOrEqual(newestSent.get(key) ?? 0);
      newestSent.set(key, Number(resourceVersion));
      unanswered.push(id);
    }
    expect(window.inFlight).toBeLessThanOrEqual(WINDOW.size);
  };
  const answer = (id: string): void => {
    const taken = window.acknowledge(id, now);
    if (taken !== undefined) acknowledged.set(taken.key, Number(taken.resourceVersion));
  };
  return {
    meet(event: Event) {
      if (event.kind === 'pass') now += event.milliseconds;
      if (event.kind === 'change') {
        const key = `object-${event.object}`;
        const number = (latest.get(key) ?? 0) + 1;
        latest.set(key, number);
        window.offer({ ...version(key, number), deletes: event.deletes }, now);
      }
      if (event.kind === 'answer' && unanswered.length > 0) {
        const [id = ''] = unanswered.splice(event.pick % unanswered.length, 1);
        if (event.refused) window.refuse(id, now);
        else answer(id);
      }
      if (event.kind === 'reconnect') {
        unanswered = [];
        window.restart();
      }
      send();
    },
    /** From here on nothing is lost. */
    recover() {
      for (let round = 0; round < 20_000 && window.size > 0; round += 1) {
        now += 1_000;
        send();
        for (const id of unanswered.splice(0)) answer(id);
      }
    },
    latest: () => latest,
    acknowledged: () => acknowledged,
  };
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat(9).map((number) => number === 0);
}

function version(key: string, number: number): ObjectVersion {
  return { key, resourceVersion: String(number), deletes: false, id: `${key}@${number}` };
}

function takeAll(window: DeliveryWindow<ObjectVersion>, now: number): ObjectVersion[] {
  const taken: ObjectVersion[] = [];
  for (let one = window.take(now); one !== undefined; one = window.take(now)) taken.push(one);
  return taken;
}

function ids(versions: readonly ObjectVersion[]): string[] {
  return versions.map(({ id }) => id);
}
