import { join } from 'node:path';
import type { Load } from '../loads/load.ts';
import { parcelFiles, passingBytes, type Parcel } from '../parcel.ts';
import type { DeliveryOrder } from './deliver-script.ts';

/** What a script reads after itself. */
export interface Delivered {
  readonly parcel: Parcel;
  readonly load: Load;
}

/** Its bytes, in the script's order; a piece holds only until the next one is asked for. */
export async function* deliveryBytes(
  { parcel, load }: Delivered,
  { stored, items }: Pick<DeliveryOrder, 'stored' | 'items'>,
  onSent?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const files = parcelFiles(parcel);
  const pathOf = (sha256: string): string =>
    join(parcel.folder, files.find((file) => file.sha256 === sha256)?.path ?? '');
  const parts = [
    ...files
      .filter(({ sha256 }) => !stored.has(sha256))
      .map(({ path, size }) => ({ path: join(parcel.folder, path), size })),
    ...items.map(({ name, sha256, size }) => (name === 'keadm' ? load : { path: pathOf(sha256), size })),
  ];
  let sent = 0;
  for (const { path, size } of parts) {
    for await (const piece of passingBytes(path, size)) {
      yield piece;
      onSent?.((sent += piece.length));
    }
  }
}
