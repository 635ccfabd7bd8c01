import { parseJoinToken } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memorySecrets, type MemorySecrets } from '../testing/memory-secrets.ts';
import { testAuthority } from '../testing/test-cloud.ts';
import { keepToken } from './token-keeper.ts';

const HOUR = 60 * 60 * 1000;
let stop: AbortController;

beforeEach(() => {
  stop = new AbortController();
});

afterEach(() => {
  stop.abort();
  vi.useRealTimers();
});

test('keepToken: stores a token of two refresh times, in the form upstream reads', async () => {
  const { store, start } = await prepare();
  await start().stored;
  const { claims, caHash } = parseJoinToken(stored(store));
  expect(caHash).toMatch(/^[0-9a-f]{64}$/);
  expect(Object.keys(claims)).toEqual(['expiresAt']);
  expect(Math.round(((claims.expiresAt ?? 0) - Date.now()) / HOUR)).toBe(24);
});

test('keepToken: a token is valid from when it is stored until it expires', async () => {
  const { start } = await prepare();
  vi.useFakeTimers({ toFake: ['Date'] });
  const keeper = start();
  expect(keeper.valid).toBe(false);
  await keeper.stored;
  expect(keeper.valid).toBe(true);
  vi.setSystemTime(Date.now() + 25 * HOUR);
  expect(keeper.valid).toBe(false);
});

test('keepToken: a token that is young enough stays, so that replicas and restarts do not change it', async () => {
  const { store, start } = await prepare();
  await start().stored;
  const first = stored(store);
  await start().stored;
  expect(stored(store)).toBe(first);
});

test('keepToken: refreshes for ever, whatever failures come between', async () => {
  const { store, start } = await prepare();
  vi.useFakeTimers({ toFake: ['Date'] });
  let wait = 0;
  const keeper = start((milliseconds) => {
    wait = milliseconds;
  });
  await keeper.stored;
  for (let day = 0; day < 10; day += 1) {
    const before = stored(store);
    store.failures = 3;
    vi.setSystemTime(Date.now() + 13 * HOUR);
    await vi.waitFor(() => expect(stored(store)).not.toBe(before));
    expect(parseJoinToken(stored(store)).claims.expiresAt).toBeGreaterThan(Date.now() + 23 * HOUR);
  }
  expect(wait).toBeGreaterThan(0);
});

async function prepare() {
  const store = memorySecrets();
  const { authority } = await testAuthority();
  const start = (paused?: (milliseconds: number) => void) =>
    keepToken(
      {
        authority,
        store,
        log: silentLogger(),
        now: () => new Date(),
        refreshHours: () => 12,
        // Waits are made short, so that days pass quickly.
        ...(paused && {
          pause: async (milliseconds: number) => {
            paused(milliseconds);
            await new Promise((resolve) => setTimeout(resolve, 1));
          },
        }),
      },
      stop.signal,
    );
  return { store, start };
}

function stored(store: MemorySecrets): string {
  return Buffer.from(store.secrets.get('tokensecret')?.['tokendata'] ?? []).toString('utf8');
}
