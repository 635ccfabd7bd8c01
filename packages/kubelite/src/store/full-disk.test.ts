import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { commitQueue } from './commit-queue.ts';
import { fullDiskReporter } from './reports.ts';

const HOOKS = { beforeCommit() {}, committed() {}, undone() {}, kept() {} };

test('writes to a full disk get a status that says so, and go on once there is room', async () => {
  const logged: string[] = [];
  const log = {
    error: (message: string) => void logged.push(message),
    info: (message: string) => void logged.push(message),
  };
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE texts (text)');
  const queue = commitQueue(database, HOOKS);
  const reporter = fullDiskReporter(log);
  const insert = database.prepare('INSERT INTO texts VALUES (?)');
  const write = (size: number) => reporter.explained(queue.enqueue(() => insert.run('x'.repeat(size))));
  database.exec('PRAGMA max_page_count = 4');
  const refused = {
    code: 507,
    reason: 'InsufficientStorage',
    message: expect.stringContaining('disk of the cloud is full'),
  };
  for (const size of [50_000, 60_000]) await expect(write(size)).rejects.toMatchObject(refused);
  // What shares a commit with it is not lost silently either.
  const together = await Promise.allSettled([write(10), write(50_000), write(10)]);
  const stored = together.filter(({ status }) => status === 'fulfilled').length;
  expect(database.prepare('SELECT count(*) AS count FROM texts').get()).toEqual({ count: stored });
  database.exec('PRAGMA max_page_count = 1000');
  await write(50_000);
  expect(logged[0]).toBe('The embedded API cannot store anything: its disk is full');
  expect(logged.at(-1)).toBe('The embedded API stores objects again');
  database.close();
});

test('long writes that wait together do not keep the event loop from other work', async () => {
  const database = new DatabaseSync(':memory:');
  const queue = commitQueue(database, HOOKS);
  const order: string[] = [];
  const write = async (name: string) => {
    await queue.enqueue(() => {
      for (const end = performance.now() + 30; performance.now() < end;);
    });
    order.push(name);
  };
  const writes = Promise.all([write('first'), write('second'), write('third')]);
  setImmediate(() => void order.push('other'));
  await writes;
  expect(order).toEqual(['first', 'other', 'second', 'third']);
  database.close();
});

test('another failure stays what it is', async () => {
  const failure = new Error('no');
  await expect(fullDiskReporter(undefined).explained(Promise.reject(failure))).rejects.toBe(failure);
});
