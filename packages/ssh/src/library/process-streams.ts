import { Readable, Writable } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { Way } from './open-socket.ts';

/** So much of the input may wait in memory before a writer has to wait. */
const INPUT_BUFFER_BYTES = 256 * 1024;

/** Writes to a command no faster than both the server's window and the network accept it. */
export function inputOf(channel: ClientChannel, way: Way): Writable {
  return quiet(
    new Writable({
      highWaterMark: INPUT_BUFFER_BYTES,
      write(chunk: Buffer, _encoding, done) {
        // The library writes each packet in three parts; the system gets all of them in one call.
        way.cork();
        channel.write(chunk, (error) => {
          // The library respects the window but not the network's backpressure.
          if (error || !way.writableNeedDrain) done(error);
          else way.once('drain', () => done());
        });
        way.uncork();
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

/** The command's end reports the failure; no one has to listen to each of its streams too. */
function quiet<Stream extends Readable | Writable>(stream: Stream): Stream {
  stream.on('error', () => undefined);
  return stream;
}
