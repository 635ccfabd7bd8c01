import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';

/**
 * The members of a tar stream, one after the other; each body has to be read before the next is asked for. Whoever
 * stops early makes the source stop too.
 */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedTarEntry> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const reading = { wanted: true };
  const feeding = feed(source, writable, reading);
  // What goes wrong there goes wrong for the reader of the members too, who tells it.
  feeding.catch(() => undefined);
  try {
    yield* readable;
    await feeding;
  } finally {
    reading.wanted = false;
    await feeding.catch(() => undefined);
  }
}

async function feed(
  source: AsyncIterable<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  reading: { readonly wanted: boolean },
): Promise<void> {
  const writer = writable.getWriter();
  try {
    for await (const piece of source) {
      if (!reading.wanted) return;
      await writer.write(piece);
    }
    await writer.close();
  } catch (cause) {
    await writer.abort(cause).catch(() => undefined);
    throw cause;
  }
}
