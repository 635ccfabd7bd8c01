import { throwIfAborted, untilFired } from '@fenestra/platform';
import { hasCode, notDelivered } from '../failures.ts';
import { type Findings, type Payload, type Missing, runName, type Task } from '../far-system.ts';
import { choosePacking, type Load, type Packer, plainLoad } from '../loads.ts';
import type { PullServer } from '../pull-server.ts';
import type { CommandEnd } from '../remote-command.ts';
import type { RemoteWorkerOptions } from '../worker-options.ts';
import { deliverScript, type DeliveryOrder } from './deliver-script.ts';
import { deliveryBytes } from './delivery-bytes.ts';
import { cannotUnpack, deliveryFailure } from './delivery-outcome.ts';
import { storedFiles, type StoreItem } from './missing.ts';
import { runScript } from './run-script.ts';

/** Sends what is missing in one stream, or has the program fetched where that works. */
export async function posixDeliver(
  task: Task,
  ways: PosixWays,
  notes: Findings['notes'],
  payload: Payload,
  missing: Missing,
): Promise<void> {
  const shipment = { ...ways, task, notes, payload, missing };
  const load = await loadFor(task, ways, notes, payload, missing);
  try {
    await bringLoad(shipment, load);
  } catch (error) {
    if (!cannotUnpack(error)) throw error;
    task.context.log(`The machine cannot unpack by ${load.packing ?? ''}; sending the program as it is`);
    await bringLoad(shipment, plainLoad(payload.program));
  }
}

/** What cannot be checked without the program is sent as it is, for then it is not the last of what comes. */
async function loadFor(
  { host, signal }: Task,
  { packer, compress }: PosixWays,
  notes: Findings['notes'],
  { program }: Payload,
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

/** The ways in which things get to machines with a POSIX shell. */
export interface PosixWays extends Pick<RemoteWorkerOptions, 'delivery' | 'compress'> {
  readonly packer: Packer;
  readonly pullServer: PullServer;
}

interface Shipment extends Pick<PosixWays, 'delivery' | 'pullServer'> {
  readonly task: Task;
  readonly notes: Findings['notes'];
  readonly payload: Payload;
  readonly missing: Missing;
}

async function bringLoad(shipment: Shipment, load: Load): Promise<void> {
  const { task, payload, missing, delivery } = shipment;
  const order = orderOf(shipment, load);
  if (missing.program && canFetch(shipment) && (await fetched(shipment, order, load))) return;
  if (missing.program && delivery === 'pull') throw notDelivered(task.node.name, CANNOT_FETCH);
  const travelling = missing.program ? missing.bytes - payload.program.size + load.size : missing.bytes;
  const input = deliveryBytes({ parcel: payload.parcel, load }, order, progressOf(shipment, travelling));
  const failure = deliveryFailure(task.node.name, await send(task, order, input), missing.bytes);
  if (failure !== undefined) throw failure;
}

const CANNOT_FETCH = 'it cannot fetch them from this machine, and "delivery" is "pull"';

/** Whether the machine has fetched it; if not, for whatever reason but its own disk and tools, it is sent. */
async function fetched(shipment: Shipment, order: DeliveryOrder, load: Load): Promise<boolean> {
  const { task, notes, payload, pullServer } = shipment;
  const offer = await pullServer.offer(load, notes['ownAddress'] ?? '', progressOf(shipment, load.size));
  if (offer === undefined) return false;
  const { settle, ...pull } = offer;
  const bytes = deliveryBytes({ parcel: payload.parcel, load }, { ...order, items: order.items.slice(0, -1) });
  let failure: Error | undefined = new Error('The machine was lost');
  try {
    const end = await send(task, { ...order, pull }, bytes);
    failure = deliveryFailure(task.node.name, end, payload.program.size);
  } finally {
    settle(failure === undefined || cannotUnpack(failure));
  }
  if (hasCode(failure, 'DISK_FULL') || cannotUnpack(failure)) throw failure;
  if (failure !== undefined) task.context.log('The machine cannot fetch the program from here; sending it');
  return failure === undefined;
}

/** Whether the machine is to fetch the program, and may be able to. A curl that cannot pin a key fails, which is tried. */
function canFetch({ task, delivery, notes }: Shipment): boolean {
  // Behind another machine, the address is that one's.
  const isReached = (notes['ownAddress'] ?? '') !== '' && task.host.target.jumps.length === 0;
  return delivery !== 'push' && isReached && toolsOf(notes).includes('curl');
}

/** Shows how much has arrived by how much of what travels was sent. */
function progressOf({ task, missing: { bytes } }: Shipment, travelling: number): (sent: number) => void {
  return (sent) => task.context.progress(Math.min(Math.round((sent / travelling) * bytes), bytes), bytes);
}

async function send(
  { host, node, signal }: Task,
  order: DeliveryOrder,
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<CommandEnd> {
  const script = { script: deliverScript(order), activity: 'sending it the files' };
  return runScript(host, node, input === undefined ? script : { ...script, input }, signal);
}

function orderOf({ task: { node, context }, notes, payload, missing }: Shipment, load: Load): DeliveryOrder {
  const stored = storedFiles(payload.parcel);
  const program: StoreItem = { ...payload.program, name: 'keadm' };
  const files = missing.files.flatMap((sha256): StoreItem[] => {
    const file = stored.find((each) => each.sha256 === sha256);
    return file === undefined ? [] : [{ sha256, size: file.size, name: 'data' }];
  });
  const programs = missing.program ? [program] : [];
  // Where nothing else can make a digest, the program does, so it goes first.
  const items = canDigest(notes) ? [...files, ...programs] : [...programs, ...files];
  return {
    base: notes['base'] ?? '',
    runName: runName(context.runId, node.name),
    program,
    entries: payload.parcel.entries,
    stored: new Set(stored.map(({ sha256 }) => sha256)),
    items,
    packing: load.packing,
    pull: undefined,
  };
}

function canDigest(notes: Findings['notes']): boolean {
  return toolsOf(notes).some((tool) => tool === 'sha256sum' || tool === 'openssl');
}

function toolsOf(notes: Findings['notes']): readonly string[] {
  return (notes['tools'] ?? '').split(' ');
}
