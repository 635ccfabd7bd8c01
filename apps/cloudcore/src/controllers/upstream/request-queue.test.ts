import { expect, test } from 'vitest';
import { requestQueue, type Task } from './request-queue.ts';

const LIMITS = { atOnce: 2, atOncePerNode: 1, waitingPerNode: 3, waiting: 100 };

/** A queue whose tasks end on request, and the order in which they began. */
function bench(limits = LIMITS) {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = requestQueue(limits);
  const task = (node: string, key: string, name = `${node}/${key}`): Task => ({
    node,
    key,
    run: () =>
      new Promise((resolve) => {
        began.push(name);
        ends.set(name, resolve);
      }),
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, began, task, end };
}

test('a node that floods delays no one but itself', async () => {
  const { queue, began, task, end } = bench();
  for (const key of ['1', '2', '3']) queue.add(task('loud', key));
  queue.add(task('quiet', '1'));
  expect(began).toEqual(['loud/1', 'quiet/1']);
  await end('loud/1');
  expect(began).toEqual(['loud/1', 'quiet/1', 'loud/2']);
});

test('what a node asks beyond its limit is refused, and taken again later', async () => {
  const { queue, task, end } = bench();
  const taken = ['1', '2', '3', '4', '5'].map((key) => queue.add(task('n', key)));
  expect(taken).toEqual([true, true, true, true, false]);
  await end('n/1');
  expect(queue.add(task('n', '6'))).toBe(true);
});

test('requests about one object keep their order, others may overtake', async () => {
  const { queue, began, task, end } = bench({ ...LIMITS, atOncePerNode: 2 });
  queue.add(task('n', 'a', 'a1'));
  queue.add(task('n', 'a', 'a2'));
  queue.add(task('n', 'b', 'b1'));
  expect(began).toEqual(['a1', 'b1']);
  await end('b1');
  expect(began).toEqual(['a1', 'b1']);
  await end('a1');
  expect(began).toEqual(['a1', 'b1', 'a2']);
  await end('a2');
  expect([queue.waiting, queue.running]).toEqual([0, 0]);
});
