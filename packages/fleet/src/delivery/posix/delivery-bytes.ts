import { join } from 'node:path';
import type { Goods } from '../far-system.ts';
import { parcelFiles, passingBytes } from '../parcel.ts';
import type { DeliveryOrder } from './deliver-script.ts';

/** The bytes that a script reads after itself, in its order; a piece holds only until the next one is asked for. */
export async function* deliveryBytes(
  { program, parcel }: Goods,
  { stored, items }: DeliveryOrder,
  progress?: (done: number, total: number) => void,
  total = 0,
): AsyncGenerator<Uint8Array> {
  const files = parcelFiles(parcel);
  const pathOf = (sha256: string): string =>
    join(parcel.folder, files.find((file) => file.sha256 === sha256)?.path ?? '');
  const parts = [
    ...files
      .filter(({ sha256 }) => !stored.has(sha256))
      .map(({ path, size }) => ({ path: join(parcel.folder, path), size })),
    ...items.map(({ name, sha256, size }) => ({ path: name === 'keadm' ? program.path : pathOf(sha256), size })),
  ];
  let done = 0;
  for (const { path, size } of parts) {
    for await (const piece of passingBytes(path, size)) {
      yield piece;
      progress?.((done += piece.length), total);
    }
  }
}
