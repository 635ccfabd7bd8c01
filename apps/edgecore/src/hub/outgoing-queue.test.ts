import { expect, test } from 'vitest';
import { OutgoingQueue, rateLimit } from './outgoing-queue.ts';

const UNLIMITED = { take: () => 0 };

test('frames leave in order, and no more than a mebibyte lies in the socket', () => {
  const sent: { size: number; taken: () => void }[] = [];
  const queue = new OutgoingQueue({
    write: (frame, taken) => sent.push({ size: frame.length, taken }),
    limit: UNLIMITED,
    now: () => 0,
  });
  for (const kib of [600, 700, 5, 6]) queue.add(Buffer.alloc(kib * 1024));
  expect(sent.map(({ size }) => size / 1024)).toEqual([600, 700]);
  sent[0]?.taken();
  expect(sent.map(({ size }) => size / 1024)).toEqual([600, 700, 5, 6]);
});

test('a full queue refuses with HUB_QUEUE_FULL and keeps what it has', () => {
  const queue = new OutgoingQueue({ write: () => {}, limit: { take: () => 1000 }, now: () => 0 });
  for (let n = 0; n < 1024; n += 1) queue.add(Buffer.from('x'));
  expect(() => queue.add(Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'HUB_QUEUE_FULL' }));
  queue.close();
});

test('acknowledgements do not wait for the rate', () => {
  const sent: string[] = [];
  const queue = new OutgoingQueue({
    write: (frame, taken) => (sent.push(frame.toString()), taken()),
    limit: rateLimit(1, 1, () => 0),
    now: () => 0,
  });
  queue.add(Buffer.from('first'));
  queue.add(Buffer.from('second'));
  queue.addUrgent(Buffer.from('ack'));
  expect(sent).toEqual(['first', 'ack']);
  queue.close();
});

test('a socket that takes nothing counts as stalled, an idle one does not', () => {
  let time = 0;
  const queue = new OutgoingQueue({ write: () => {}, limit: UNLIMITED, now: () => time });
  time = 5000;
  expect(queue.stalledMs()).toBe(0);
  queue.add(Buffer.from('x'));
  time = 9000;
  expect(queue.stalledMs()).toBe(4000);
});

test('a rate of 30 with a burst of 60 lets 60 go at once and 30 in the second after', () => {
  let time = 0;
  const limit = rateLimit(30, 60, () => time);
  const goingNow = (): number => {
    let count = 0;
    while (limit.take() === 0) count += 1;
    return count;
  };
  expect(goingNow()).toBe(60);
  time = 1000;
  expect(goingNow()).toBe(30);
  expect(limit.take()).toBeGreaterThan(0);
});
