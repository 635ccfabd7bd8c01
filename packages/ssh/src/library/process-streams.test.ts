import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import ssh2, { type Client, type ClientChannel } from 'ssh2';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Traffic } from './flight.ts';
import { inputOf } from './process-streams.ts';

const MEGABYTE = 1024 * 1024;
const WINDOW = 2 * MEGABYTE;
const OTHERS = 9;

/** Time passes only where the code under test waits for it. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

test('a near server has no more on its way than it needs, if others are sent to as well', async () => {
  const { most, seconds } = await send(6 * MEGABYTE, (untold) => untold > 0);
  expect(most).toBe(MEGABYTE / 2);
  expect(seconds).toBeLessThan(1);
});

test('a server that tells what it has taken only when half of its window is used waits for us once', async () => {
  const { most, seconds } = await send(12 * MEGABYTE, (untold) => untold >= WINDOW / 2);
  expect(most).toBeGreaterThan(MEGABYTE / 2);
  expect(seconds).toBeGreaterThan(0.4);
  expect(seconds).toBeLessThan(3);
});

test('a machine far away has its whole window, however long it takes what was sent', async () => {
  const { most, seconds } = await send(12 * MEGABYTE, (untold) => untold > 0, 150);
  expect(most).toBe(WINDOW);
  expect(seconds).toBeLessThan(2);
});

test('a command that was sent much and is sent nothing any more leaves its share to the others', async () => {
  const traffic = { flights: OTHERS };
  const { input } = openServer(() => true, traffic);
  vi.setTimerTickMode('manual');
  input.write(Buffer.alloc(MEGABYTE));
  await vi.advanceTimersByTimeAsync(50);
  expect(traffic.flights).toBe(OTHERS + 1);
  await vi.advanceTimersByTimeAsync(100);
  expect(traffic.flights).toBe(OTHERS);
  expect(input.destroyed).toBe(false);
  input.destroy();
});

/** Sends to a server that takes everything at once, and answers at once; `tells` says when it opens its window again. */
async function send(
  bytes: number,
  tells: (untold: number) => boolean,
  awayMs = 0,
): Promise<{ readonly most: number; readonly seconds: number }> {
  const { input, most } = openServer(tells, { flights: OTHERS }, awayMs);
  const began = performance.now();
  input.end(Buffer.alloc(bytes));
  await once(input, 'finish');
  return { most: most(), seconds: (performance.now() - began) / 1000 };
}

function openServer(tells: (untold: number) => boolean, traffic: Traffic, awayMs = 0) {
  const way = new PassThrough();
  const outgoing = { window: WINDOW };
  let most = 0;
  const take = (): void => {
    if (tells(WINDOW - outgoing.window)) outgoing.window = WINDOW;
    way.emit('data');
  };
  const channel = Object.assign(new EventEmitter(), {
    outgoing,
    end: () => undefined,
    write(piece: Buffer, done: () => void) {
      outgoing.window -= piece.length;
      most = Math.max(most, WINDOW - outgoing.window);
      later(take, awayMs);
      done();
    },
  });
  if (!isChannel(channel)) throw new Error('the channel has no window');
  return { input: inputOf(channel, { way, client: answeringClient(awayMs), traffic }), most: () => most };
}

function later(act: () => void, milliseconds: number): void {
  if (milliseconds === 0) setImmediate(act);
  else setTimeout(act, milliseconds);
}

function answeringClient(awayMs: number): Client {
  const callbacks: (() => void)[] = [];
  const protocol = { ping: () => later(() => callbacks.shift()?.(), awayMs) };
  return Object.assign(new ssh2.Client(), { _callbacks: callbacks, _protocol: protocol });
}

/** It has of a channel what is used here. */
function isChannel(parts: object): parts is ClientChannel {
  return 'outgoing' in parts;
}
