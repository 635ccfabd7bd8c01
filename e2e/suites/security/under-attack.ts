import { stdout } from 'node:process';
import { expect } from 'vitest';
import { privateBytes } from './processes.ts';
import { watchForStalls } from './stall-watch.ts';

/** A server process, and a page of it that answers while it works. */
export interface Target {
  /** Its process, which must stay the same. */
  readonly pid: () => number;
  readonly page: string;
}

/**
 * One caller may wait this long for others. Processor time counts, so that a busy machine changes nothing. The aim is
 * 250 ms; single patches of a megabyte still take up to 700 ms.
 */
const LONGEST_BUSY_MS = 1_000;
const QUARTERS = 4;
/** Memory may grow while caches fill; after the first half it stays. */
const GROWTH = 1.25;
const SLACK_BYTES = 32 * 1_024 * 1_024;

/** Attacks in quarters, and expects the same process to answer at any time with memory that does not grow. */
export async function expectUnmoved({ pid, page }: Target, attackQuarter: () => Promise<void>): Promise<void> {
  const process = pid();
  const watch = watchForStalls({ url: page, pid: process });
  const memory: number[] = [];
  for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
    await attackQuarter();
    memory.push(privateBytes(process));
  }
  const report = await watch.stop();
  const figures = { ...report, megabytes: memory.map((bytes) => Math.round(bytes / 1_048_576)) };
  stdout.write(`${JSON.stringify(figures)}\n`);
  expect(pid()).toBe(process);
  expect(report.failures).toEqual([]);
  expect(report.longestBusyMs).toBeLessThanOrEqual(LONGEST_BUSY_MS);
  expect(memory.at(-1)).toBeLessThanOrEqual((memory[1] ?? 0) * GROWTH + SLACK_BYTES);
}
