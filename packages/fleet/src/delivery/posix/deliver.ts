import { throwIfAborted, untilFired } from '@fenestra/platform';
import type { Findings, Goods, Missing, Task } from '../far-system.ts';
import { choosePacking } from '../loads/choose-packing.ts';
import { plainLoad, type Load } from '../loads/load.ts';
import { bringLoad, canDigest, type PosixWays } from './bring-load.ts';
import { cannotUnpack } from './delivery-outcome.ts';

/** Sends what is missing in one stream, or has the program fetched where that works. */
export async function posixDeliver(
  task: Task,
  ways: PosixWays,
  notes: Findings['notes'],
  goods: Goods,
  missing: Missing,
): Promise<void> {
  const shipment = { ...ways, task, notes, goods, missing };
  const load = await loadFor(task, ways, notes, goods, missing);
  try {
    await bringLoad(shipment, load);
  } catch (error) {
    if (!cannotUnpack(error)) throw error;
    task.context.log(`The machine cannot unpack by ${load.packing ?? ''}; sending the program as it is`);
    await bringLoad(shipment, plainLoad(goods.program));
  }
}

/** What cannot be checked without the program is sent as it is, for then it is not the last of what comes. */
async function loadFor(
  { host, signal }: Task,
  { packer, compress }: PosixWays,
  notes: Findings['notes'],
  { program }: Goods,
  missing: Missing,
): Promise<Load> {
  const packing = missing.program && canDigest(notes) ? choosePacking(compress, host.target, notes) : undefined;
  if (packing === undefined) return plainLoad(program);
  // It goes on for the others.
  const packed = packer.pack(program, packing);
  await Promise.race([packed, untilFired(signal)]);
  throwIfAborted('compressing the program', signal);
  return packed;
}
