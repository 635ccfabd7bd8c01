import { Readable, Writable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { Way } from './open-socket.ts';

/** What is given to the library at once; more would only wait in memory. */
const PIECE_BYTES = 128 * 1024;

/** Writes to a command no faster than both its window and the network take it. */
export function inputOf(channel: ClientChannel, way: Way): Writable {
  return quiet(
    new Writable({
      highWaterMark: PIECE_BYTES,
      write(chunk: Buffer, _encoding, done) {
        callBack(writePieces(channel, way, chunk), done);
      },
      final(done) {
        channel.end();
        done();
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

async function writePieces(channel: ClientChannel, way: Way, chunk: Buffer): Promise<void> {
  for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
    const piece = chunk.subarray(start, start + PIECE_BYTES);
    await writePiece(channel, way, piece);
    if (way.writableNeedDrain) await new Promise((resolve) => way.once('drain', resolve));
  }
}

async function writePiece(channel: ClientChannel, way: Way, piece: Buffer): Promise<void> {
  // The library writes each packet in three pieces, of which two are tiny: all of them go to the system in one call.
  way.cork();
  const written = new Promise<void>((resolve, reject) => {
    channel.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
  way.uncork();
  return written;
}

/** The failure is told by the command's end; nobody has to listen to each of its streams too. */
function quiet<Stream extends Readable | Writable>(stream: Stream): Stream {
  stream.on('error', () => undefined);
  return stream;
}
