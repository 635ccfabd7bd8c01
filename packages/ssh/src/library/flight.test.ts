import { describe, expect, it } from 'vitest';
import { Flight } from './flight.ts';

const MEGABYTE = 1024 * 1024;
const LEAST_BYTES = MEGABYTE / 2;
const MUCH = 8 * MEGABYTE;

/** A flight to a machine that answers after so many milliseconds, beside others. */
function flightTo(others: number) {
  const traffic = { flights: others };
  const waiting: (() => void)[] = [];
  let now = 0;
  const flight = new Flight(
    traffic,
    (answered) => {
      waiting.push(answered);
      return true;
    },
    () => now,
  );
  flight.send(MUCH);
  const pass = (ms: number): void => void (now += ms);
  /** Lets so many answers come, each after this time, with so much sent in between. */
  function answer(tookMs: number, times: number, bytes = MUCH): void {
    for (let count = 0; count < times; count += 1) {
      pass(tookMs);
      waiting.shift()?.();
      flight.send(bytes);
    }
  }
  return { flight, traffic, pass, answer, asked: () => waiting.length };
}

describe('how much may be on its way', () => {
  it.each([
    ['near, one of ten', 9, 2, LEAST_BYTES],
    ['20 ms away, one of twenty', 19, 20, 800_000],
    ['40 ms away, one of twenty', 19, 40, 1_600_000],
    ['100 ms away, one of many', 199, 100, Infinity],
    ['20 ms away, alone', 0, 20, 16_000_000],
    ['near, alone', 0, 1, 2 * MEGABYTE],
  ])('%s', (_where, others, tookMs, limit) => {
    const { flight, answer } = flightTo(others);
    answer(tookMs, 3);
    expect(flight.limit()).toBe(limit);
  });

  it('is little until three answers have come, because the first are late at a busy start', () => {
    const { flight, answer } = flightTo(9);
    answer(40, 2);
    expect(flight.limit()).toBe(LEAST_BYTES);
    answer(2, 1);
    expect(flight.limit()).toBe(LEAST_BYTES);
  });

  it('goes by the quickest answer', () => {
    const { flight, answer } = flightTo(19);
    answer(100, 3);
    answer(20, 1);
    answer(100, 20);
    expect(flight.limit()).toBe(800_000);
  });

  it('grows when others have ended', () => {
    const { flight, traffic, answer } = flightTo(19);
    answer(20, 3);
    traffic.flights = 10;
    expect(flight.limit()).toBe(1_600_000);
    flight.setFree();
    flight.setFree();
    flight.send(MUCH);
    expect(traffic.flights).toBe(9);
  });

  it('is left to the others while nothing is sent, and by a little that is', () => {
    const { flight, traffic } = flightTo(9);
    flight.rest();
    flight.send(LEAST_BYTES);
    expect(traffic.flights).toBe(9);
    flight.send(1);
    expect(traffic.flights).toBe(10);
  });

  it("is nobody else's matter as long as little is sent, and nothing is asked", () => {
    const traffic = { flights: 9 };
    let asked = 0;
    const flight = new Flight(traffic, () => (asked += 1) > 0);
    flight.send(LEAST_BYTES);
    expect([traffic.flights, asked]).toEqual([9, 0]);
    flight.send(1);
    expect([traffic.flights, asked]).toEqual([10, 1]);
  });

  it('has no limit where no answer comes, none can be asked for, or the window alone counts', () => {
    const { flight, pass } = flightTo(9);
    pass(1001);
    expect(flight.limit()).toBe(Infinity);
    const mute = new Flight({ flights: 9 }, () => false);
    mute.send(MUCH);
    expect(mute.limit()).toBe(Infinity);
    const free = flightTo(9);
    free.flight.setFree();
    expect(free.flight.limit()).toBe(Infinity);
  });
});

it('asks again at once at the start, later more and more seldom, and never twice at a time', () => {
  const { flight, answer, asked } = flightTo(9);
  flight.send(MUCH);
  expect(asked()).toBe(1);
  answer(1, 2, 1);
  expect(asked()).toBe(1);
  answer(1, 1, LEAST_BYTES - 1);
  expect(asked()).toBe(0);
  flight.send(1);
  expect(asked()).toBe(1);
  answer(1, 1, LEAST_BYTES);
  expect(asked()).toBe(0);
});
