import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '@fenestra/kernel';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { isSealed } from './sealed/header.ts';
import { unseal } from './sealed/seal.ts';

/** The tar stream in an archive, decrypted and unpacked on the way. */
export async function* archiveContent(path: string, passphrase: string | undefined): AsyncGenerator<Uint8Array> {
  const sealed = await isEncrypted(path);
  const file = createReadStream(path);
  const plain = createGunzip();
  // A failure in here destroys `plain` with it, so that anyone who reads from there meets it.
  pipeline(sealed ? unseal(file, requirePassphrase(path, passphrase)) : file, plain).catch(() => undefined);
  try {
    yield* plain;
  } finally {
    plain.destroy();
    file.destroy();
  }
}

/** Whether an archive needs a passphrase, by what is in it and not by its name. */
async function isEncrypted(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return isSealed(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function requirePassphrase(path: string, passphrase: string | undefined): string {
  if (passphrase !== undefined) return passphrase;
  throw new OperatorError('PASSPHRASE_WRONG', `Cannot open "${path}": it is encrypted, and no passphrase was given`, {
    hint: 'Give it by "--passphrase-file FILE" or in KEADM_PASSPHRASE.',
  });
}

/**
 * The members of a tar stream, one after the other; each body has to be read before the next is asked for. A
 * reader that stops early makes the source stop too.
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
