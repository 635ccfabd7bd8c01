import { Readable, Writable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { Connection } from './connection.ts';
import { Flight } from './flight.ts';
import type { Way } from './open-socket.ts';
import { ping } from './ping.ts';

/** What is given to the library at once: a small part of the window of every server, so that little waits in memory. */
const PIECE_BYTES = 256 * 1024;
const PARTS_OF_WINDOW = 4;
/** There are servers that open their window only when half of it is used, and wait for us until then. */
const LONGEST_WAIT_MS = 500;
/** Whoever has more to send does so by then. */
const PAUSE_MS = 100;

/** What a channel is part of. */
type Carrier = Pick<Connection, 'client' | 'way' | 'traffic'>;

/** Writes to a command no faster than both its window and the network take it. */
export function inputOf(channel: ClientChannel, carrier: Carrier): Writable {
  const outlet = openOutlet(channel, carrier);
  return quiet(
    new Writable({
      highWaterMark: PIECE_BYTES,
      write(chunk: Buffer, _encoding, done) {
        // What waits for room is no pause, however long it takes.
        clearTimeout(outlet.pause);
        callBack(writePieces(outlet, chunk), done);
      },
      final(done) {
        channel.end();
        done();
      },
      destroy(error, done) {
        clearTimeout(outlet.pause);
        outlet.flight.setFree();
        done(error);
      },
    }),
  );
}

/** Reads from a command no faster than it is read here. `failure` tells, at its end, whether all of it has come. */
export function outputOf(source: Readable, failure: () => Error | undefined): Readable {
  const output = new Readable({ read: () => void source.resume() });
  source.on('data', (chunk: Buffer) => {
    if (!output.push(chunk)) source.pause();
  });
  source.once('end', () => {
    const error = failure();
    if (error === undefined) output.push(null);
    else output.destroy(error);
  });
  return quiet(output);
}

function callBack(work: Promise<void>, done: (error?: Error) => void): void {
  const finish = async (): Promise<void> => {
    try {
      await work;
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
  void finish();
}

/** Where input goes. */
interface Outlet {
  readonly channel: ClientChannel;
  readonly way: Way;
  /** What it was at the start. */
  readonly window: number;
  readonly flight: Flight;
  /** Since all that there was to send has been sent. */
  pause: NodeJS.Timeout | undefined;
}

function openOutlet(channel: ClientChannel, { client, way, traffic }: Carrier): Outlet {
  const flight = new Flight(traffic, (answered) => ping(client, answered));
  return { channel, way, window: windowOf(channel), flight, pause: undefined };
}

async function writePieces(outlet: Outlet, chunk: Buffer): Promise<void> {
  const { channel, way } = outlet;
  for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
    const piece = chunk.subarray(start, start + PIECE_BYTES);
    await untilRoom(outlet, piece.length);
    outlet.flight.send(piece.length);
    await writePiece(channel, piece);
    if (way.writableNeedDrain) await new Promise((resolve) => way.once('drain', resolve));
  }
  outlet.pause = setTimeout(() => outlet.flight.rest(), PAUSE_MS).unref();
}

async function writePiece(channel: ClientChannel, piece: Buffer): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    channel.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/**
 * A server opens its window a little at a time, and the library would send that little each time: some of it is saved
 * up, but of a small window never so much that the server would wait for us, and not for long. Nor is more sent than may
 * be on its way, unless that was too little.
 */
async function untilRoom(outlet: Outlet, bytes: number): Promise<void> {
  const { channel, way } = outlet;
  if (hasRoom(outlet, bytes)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (hasRoom(outlet, bytes)) resolve();
  };
  const giveUp = setTimeout(() => {
    outlet.flight.setFree();
    resolve();
  }, LONGEST_WAIT_MS);
  way.on('data', look);
  for (const stream of [channel, way]) stream.once('close', resolve);
  await promise;
  clearTimeout(giveUp);
  way.off('data', look);
  for (const stream of [channel, way]) stream.off('close', resolve);
}

function hasRoom({ channel, window, flight }: Outlet, bytes: number): boolean {
  const open = windowOf(channel);
  const isOnItsWay = open < window ? window - open : 0;
  return open >= Math.min(bytes, window / PARTS_OF_WINDOW) && isOnItsWay + bytes <= flight.limit();
}

/** How much the server would take now. A library that does not tell sees to it alone. */
function windowOf(channel: ClientChannel): number {
  const outgoing: unknown = Reflect.get(channel, 'outgoing');
  const window: unknown =
    typeof outgoing === 'object' && outgoing !== null ? Reflect.get(outgoing, 'window') : undefined;
  return typeof window === 'number' ? window : Infinity;
}

/** The failure is told by the command's end; nobody has to listen to each of its streams too. */
function quiet<Stream extends Readable | Writable>(stream: Stream): Stream {
  stream.on('error', () => undefined);
  return stream;
}
