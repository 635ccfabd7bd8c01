import { measureDistance } from './batch/measure-distance.ts';
import { measureNumbers } from './batch/measure-numbers.ts';
import { openSite } from './batch/targets.ts';
import type { Benchmark } from './ratio.ts';

/** `BENCH_TARGETS=10,50` gives a quick idea; the bars are for all four numbers. */
const NUMBERS = numbersIn(process.env['BENCH_TARGETS'] ?? '10,50,100,200');
/** How many targets there are when they are far away. */
const FAR_NUMBERS: readonly number[] = [1, 20];
/** `BENCH_ROUND_TRIPS_MS=` leaves out what is far away. */
const ROUND_TRIPS_MS = numbersIn(process.env['BENCH_ROUND_TRIPS_MS'] ?? '20,100');

/** A 60 MB executable, five small files and a short command for many machines, against every other way to do it. */
export const batch: Benchmark = {
  name: 'batch',
  async measure() {
    const site = await openSite(Math.max(...NUMBERS, ...FAR_NUMBERS));
    try {
      const far = await measureDistance(site, FAR_NUMBERS, ROUND_TRIPS_MS);
      return [...(await measureNumbers(site, NUMBERS)), ...far];
    } finally {
      await site.close();
    }
  },
};

function numbersIn(list: string): readonly number[] {
  return list === '' ? [] : list.split(',').map(Number);
}
