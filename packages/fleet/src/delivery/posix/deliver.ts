import type { Findings, Goods, Missing, Task } from '../far-system.ts';
import { hasCode, notDelivered } from '../failures.ts';
import { choosePacking } from '../loads/choose-packing.ts';
import { plainLoad, type Load } from '../loads/load.ts';
import type { Packer } from '../loads/packer.ts';
import type { Offer, PullDesk } from '../pull/pull-desk.ts';
import type { CommandEnd } from '../remote-command.ts';
import { runName } from '../run-name.ts';
import type { RemoteWorkerOptions } from '../worker-options.ts';
import { deliverScript, type DeliveryOrder } from './deliver-script.ts';
import { deliveryBytes } from './delivery-bytes.ts';
import { deliveryFailure } from './delivery-outcome.ts';
import { storedFiles } from './missing.ts';
import { runScript } from './run-script.ts';
import type { StoreItem } from './survey-script.ts';

/** The ways in which things get to machines with a POSIX shell. */
export interface PosixWays extends Pick<RemoteWorkerOptions, 'delivery' | 'compress'> {
  readonly packer: Packer;
  readonly desk: PullDesk;
}

/** A delivery to one of them. */
export interface PosixDelivery extends Task, PosixWays {}

/** Sends what is missing in one stream, or has the program fetched where that works. */
export async function posixDeliver(
  delivery: PosixDelivery,
  notes: Findings['notes'],
  goods: Goods,
  missing: Missing,
): Promise<void> {
  const load = await loadFor(delivery, notes, goods, missing);
  const order = { ...orderOf(delivery, notes, goods, missing), packing: load.packing };
  const offer = missing.program ? await offerFor(delivery, notes, load, missing) : undefined;
  if (offer !== undefined && (await fetched(delivery, order, goods, notes, offer))) return;
  if (missing.program && delivery.delivery === 'pull') throw notDelivered(delivery.node.name, CANNOT_FETCH);
  const travelling = missing.program ? missing.bytes - goods.program.size + load.size : missing.bytes;
  const onSent = progressOf(delivery, travelling, missing);
  const input = deliveryBytes({ parcel: goods.parcel, load }, order, onSent);
  const end = await send(delivery, deliverScript(order), input);
  const failure = deliveryFailure(delivery.node.name, end, missing.bytes);
  if (failure !== undefined) throw failure;
}

const CANNOT_FETCH = 'it cannot fetch them from this machine, and "delivery" is "pull"';

/** Whether the machine has fetched it; if not, for whatever reason but its own disk, it is sent. */
async function fetched(
  delivery: PosixDelivery,
  order: DeliveryOrder,
  goods: Goods,
  notes: Findings['notes'],
  { url, key, settle }: Offer,
): Promise<boolean> {
  const tool = toolsOf(notes).includes('curl') ? 'curl' : 'wget';
  const script = deliverScript({ ...order, pull: { url, tool } });
  const files = { parcel: goods.parcel, load: plainLoad(goods.program) };
  const bytes = deliveryBytes(files, { ...order, items: order.items.slice(0, -1) });
  let failure: Error | undefined = new Error('The machine was lost');
  try {
    failure = deliveryFailure(
      delivery.node.name,
      await send(delivery, script, withKey(key, bytes)),
      goods.program.size,
    );
  } finally {
    settle(failure === undefined);
  }
  if (hasCode(failure, 'DISK_FULL')) throw failure;
  if (failure !== undefined) delivery.context.log('The machine cannot fetch the program from here; sending it');
  return failure === undefined;
}

async function offerFor(
  part: PosixDelivery,
  notes: Findings['notes'],
  load: Load,
  missing: Missing,
): Promise<Offer | undefined> {
  const { desk, delivery, host } = part;
  const address = notes['ownAddress'] ?? '';
  const tools = toolsOf(notes);
  const isAble = tools.includes('openssl') && (tools.includes('curl') || tools.includes('wget'));
  // Behind another machine, the address is that one's.
  if (delivery === 'push' || !isAble || address === '' || host.target.jumps.length > 0) return undefined;
  return desk.offer(load, address, progressOf(part, load.size, missing));
}

/** Tells how much has arrived by how much of what travels was sent. */
function progressOf({ context }: Task, travelling: number, { bytes }: Missing): (sent: number) => void {
  return (sent) => context.progress(Math.min(Math.round((sent / travelling) * bytes), bytes), bytes);
}

/** What cannot be checked without the program is sent as it is, for then it is not the last of what comes. */
async function loadFor(
  { packer, compress, host }: PosixDelivery,
  notes: Findings['notes'],
  { program }: Goods,
  missing: Missing,
): Promise<Load> {
  const packing = missing.program && canDigest(notes) ? choosePacking(compress, host.target, notes) : undefined;
  return packing === undefined ? plainLoad(program) : packer.pack(program, packing);
}

async function send(
  delivery: PosixDelivery,
  script: string,
  input: AsyncIterable<Uint8Array | string>,
): Promise<CommandEnd> {
  const { host, node, signal } = delivery;
  return runScript(host, node, { script, input, activity: 'sending it the files' }, signal);
}

function orderOf(
  { node, context }: Task,
  notes: Findings['notes'],
  goods: Goods,
  missing: Missing,
): Omit<DeliveryOrder, 'packing'> {
  const stored = storedFiles(goods.parcel);
  const program: StoreItem = { ...goods.program, name: 'keadm' };
  const files = missing.files.flatMap((sha256): StoreItem[] => {
    const file = stored.find((each) => each.sha256 === sha256);
    return file === undefined ? [] : [{ sha256, size: file.size, name: 'data' }];
  });
  const programs = missing.program ? [program] : [];
  return {
    base: notes['base'] ?? '',
    runName: runName(context.runId, node.name),
    program: program.sha256,
    entries: goods.parcel.entries,
    stored: new Set(stored.map(({ sha256 }) => sha256)),
    // Where nothing else can make a digest, the program does, so it goes first.
    items: canDigest(notes) ? [...files, ...programs] : [...programs, ...files],
    pull: undefined,
  };
}

async function* withKey(key: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | string> {
  yield `${key}\n`;
  yield* bytes;
}

function canDigest(notes: Findings['notes']): boolean {
  return toolsOf(notes).some((tool) => tool === 'sha256sum' || tool === 'openssl');
}

function toolsOf(notes: Findings['notes']): readonly string[] {
  return (notes['tools'] ?? '').split(' ');
}
