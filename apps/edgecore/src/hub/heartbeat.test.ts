import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function pulse(state: { silentMs: number; stalledMs: number }) {
  const events: string[] = [];
  return {
    events,
    beat: () => void events.push('beat'),
    silentMs: () => state.silentMs,
    stalledMs: () => state.stalledMs,
    giveUp: (reason: string) => void events.push(reason),
  };
}

test('it beats at once, then at every interval, until it is stopped', () => {
  const heart = pulse({ silentMs: 0, stalledMs: 0 });
  const stop = startHeartbeat(heart, { intervalMs: 1000, writeDeadlineMs: 5000 });
  expect(heart.events).toEqual(['beat']);
  vi.advanceTimersByTime(2500);
  stop();
  vi.advanceTimersByTime(5000);
  expect(heart.events).toEqual(['beat', 'beat', 'beat']);
});

test('a half-open connection and one that takes nothing are given up', () => {
  const state = { silentMs: 0, stalledMs: 0 };
  const heart = pulse(state);
  const stop = startHeartbeat(heart, { intervalMs: 1000, writeDeadlineMs: 5000 });
  state.silentMs = 2501;
  vi.advanceTimersByTime(1000);
  state.silentMs = 0;
  state.stalledMs = 5001;
  vi.advanceTimersByTime(1000);
  stop();
  expect(heart.events).toEqual(['beat', 'the cloud has not answered for too long', 'the cloud takes no messages']);
});
