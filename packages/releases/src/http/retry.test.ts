import { once } from 'node:events';
import { createServer } from 'node:http';
import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { openUrl } from './open-url.ts';
import { type RetryPolicy, withRetries, unlessStalled } from './retry.ts';

const { signal } = new AbortController();
const QUICK: RetryPolicy = { attempts: 3, firstDelayMs: 1, longestDelayMs: 2, stallMs: 100 };
const quiet = { action: 'fetch "x"', progress: () => 0, say: () => {} };

test('withRetries gives up after so many failures, saying the last one', async () => {
  let attempts = 0;
  const attempt = async (): Promise<never> => Promise.reject(new Error(`broken ${(attempts += 1)}`));
  await expect(withRetries({ ...quiet, attempt }, QUICK, signal)).rejects.toMatchObject({
    code: 'DOWNLOAD_FAILED',
    message: 'Cannot fetch "x": broken 3',
  });
});

test('withRetries counts from the beginning whenever something has come', async () => {
  let received = 0;
  const attempt = async (): Promise<string> => {
    if (received === 10) return 'done';
    received += 1;
    throw new Error('broken');
  };
  const heard: string[] = [];
  const work = { ...quiet, attempt, progress: () => received, say: (text: string) => void heard.push(text) };
  expect(await withRetries(work, QUICK, signal)).toBe('done');
  expect(heard).toEqual(Array.from({ length: 10 }, () => 'broken; trying again'));
});

test('withRetries takes an operator error for final, and honours an interruption', async () => {
  let attempts = 0;
  const attempt = async (): Promise<never> => {
    attempts += 1;
    throw new OperatorError('RELEASE_INVALID', 'bad', { hint: 'none' });
  };
  await expect(withRetries({ ...quiet, attempt }, QUICK, signal)).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
  await expect(withRetries({ ...quiet, attempt }, QUICK, AbortSignal.abort())).rejects.toMatchObject({
    code: 'INTERRUPTED',
  });
  expect(attempts).toBe(1);
});

test.each(['before it answers', 'in the middle'])('a server that falls silent %s is given up', async (when) => {
  const server = createServer((_request, response) => {
    if (when === 'in the middle') response.writeHead(200, { 'content-length': 10 }).write('half');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  const transfer = async (guarded: AbortSignal, alive: () => void): Promise<void> => {
    const { body } = await openUrl({ url, httpsOnly: false, variables: {} }, guarded);
    body.on('data', alive);
    await once(body, 'end');
  };
  const attempt = async (): Promise<void> => unlessStalled(QUICK.stallMs, transfer, signal);
  await expect(withRetries({ ...quiet, attempt }, QUICK, signal)).rejects.toMatchObject({
    code: 'DOWNLOAD_FAILED',
    message: 'Cannot fetch "x": nothing was received for 0.1 s',
  });
  server.closeAllConnections();
  server.close();
});
