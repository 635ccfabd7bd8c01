import { median, type Ratio } from '../ratio.ts';
import { fromAfar } from './distance.ts';
import { keadmBatch } from './keadm-run.ts';
import { deliveryTo, type Delivery } from './methods.ts';
import { upstreamSftp } from './peers/upstream-sftp.ts';
import type { Site } from './targets.ts';

const MEGABYTE = 1024 * 1024;
/** Of ours, which is a matter of processor time; the other waits most of the time, always as long. */
const ROUNDS = 3;
/** Parts of the executable, for the one who waits a round trip for each block: the whole would take minutes. */
const PARTS_BYTES = { small: MEGABYTE, large: 7 * MEGABYTE };
/** How much faster ours has to be, by the length of the round trip in milliseconds. */
const BARS: Readonly<Record<number, number>> = { 20: 1 / 10, 100: 1 / 20 };

/** Targets that are far away. They cannot fetch, because only the way of SSH is long here. */
export async function measureDistance(
  site: Site,
  numbers: readonly number[],
  roundTripsMs: readonly number[],
): Promise<readonly Ratio[]> {
  const ratios: Ratio[] = [];
  for (const roundTrip of roundTripsMs)
    for (const number of numbers) ratios.push(await measureOne(site, number, roundTrip));
  return ratios;
}

async function measureOne(site: Site, number: number, roundTrip: number): Promise<Ratio> {
  const near = site.machines.slice(0, number);
  return fromAfar(roundTrip, near, async (machines) => {
    const delivery = deliveryTo(site, machines, { discard: false });
    const ours = await secondsOfOurs(delivery);
    site.clear(delivery);
    const theirs = await secondsOfUpstream(
      async (bytes) => (await upstreamSftp(delivery, bytes)).seconds,
      site.payload.bytes,
    );
    console.log(`${number} targets, ${roundTrip} ms away: ${ours.toFixed(1)} s, upstream's way ${theirs.toFixed(0)} s`);
    return {
      name: `push to ${number}, ${roundTrip} ms away`,
      unit: 's',
      ours,
      peer: "upstream's way, from parts of it",
      theirs,
      bar: BARS[roundTrip] ?? 1,
    };
  });
}

async function secondsOfOurs(delivery: Delivery): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    delivery.site.clear(delivery);
    seconds.push((await keadmBatch('push', delivery)).seconds);
  }
  return median(seconds);
}

/** What is the same however large the file is, such as the login, is counted once: two parts are measured. */
async function secondsOfUpstream(send: (bytes: number) => Promise<number>, bytes: number): Promise<number> {
  const { small, large } = PARTS_BYTES;
  const [first, second] = [await send(small), await send(large)];
  return first + ((second - first) * (bytes - small)) / (large - small);
}
