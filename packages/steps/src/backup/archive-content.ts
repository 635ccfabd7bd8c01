import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isSealed } from './sealed/header.ts';
import { unseal } from './sealed/seal.ts';
import { OperatorError } from '@fenestra/kernel';

/** The tar stream in an archive, decrypted and unpacked on the way. */
export async function* archiveContent(path: string, passphrase: string | undefined): AsyncGenerator<Uint8Array> {
  const sealed = await isEncrypted(path);
  const file = createReadStream(path);
  const plain = createGunzip();
  // A failure in here destroys `plain` with it, so that whoever reads from there meets it.
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
