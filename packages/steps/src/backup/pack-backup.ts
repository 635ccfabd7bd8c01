import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BACKUP_MANIFEST, type BackupManifest } from './manifest.ts';
import { seal } from './sealed/seal.ts';
import { createTarPacker, type TarPackController } from 'modern-tar';
import type { BackupMember } from './backup-member.ts';

/** What goes into an archive, and how. */
export interface PackRequest {
  readonly manifest: BackupManifest;
  readonly members: readonly BackupMember[];
  /** A file that is there already, with the rights it shall have, and empty. */
  readonly to: string;
  /** Encrypts the archive if there is one. */
  readonly passphrase: string | undefined;
  readonly progress: (done: number, total: number) => void;
}

/** Writes an archive as a stream: no file in it has to fit into memory. */
export async function packBackup(request: PackRequest, signal: AbortSignal): Promise<void> {
  const { readable, controller } = createTarPacker();
  const { to, passphrase } = request;
  const target = createWriteStream(to, { flags: 'r+' });
  const sealed = async function* (packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* passphrase === undefined ? packed : seal(packed, passphrase);
  };
  const [filled, written] = await Promise.allSettled([
    fill(controller, request),
    pipeline(readable, createGzip(), sealed, target, { signal }),
  ]);
  // A member that cannot be read ends both sides with the same error; a disk without room ends only this one with its own.
  if (written.status === 'rejected') throw written.reason;
  if (filled.status === 'rejected') throw filled.reason;
}

async function fill(controller: TarPackController, { manifest, members, progress }: PackRequest): Promise<void> {
  const mtime = new Date(manifest.created);
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  try {
    const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
    await add(controller, { name: BACKUP_MANIFEST, size: text.length, mode: 0o600, mtime }, [text]);
    for (const { file, content } of members) {
      const header = { name: file.path, size: file.size, mode: file.mode, mtime };
      await add(controller, header, typeof content === 'string' ? createReadStream(content) : [content]);
      progress((done += file.size), total);
    }
    controller.finalize();
  } catch (cause) {
    controller.error(cause);
    throw cause;
  }
}

async function add(
  controller: TarPackController,
  header: Parameters<TarPackController['add']>[0],
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const writer = controller.add(header).getWriter();
  for await (const piece of content) await writer.write(piece);
  await writer.close();
}
