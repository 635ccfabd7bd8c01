import { join } from 'node:path';
import { becameShorter } from '../failures.ts';
import type { Load } from '../loads.ts';
import { fileBlocks, parcelFiles, type Parcel } from '../parcel.ts';
import type { DeliveryOrder } from './deliver-script.ts';

/** What a script reads after itself. */
export interface Delivered {
  readonly parcel: Parcel;
  readonly load: Load;
}

/** Its bytes, in the script's order, and `undefined` if there are none. A block is valid until the next one is requested. */
export function deliveryBytes(
  delivered: Delivered,
  order: Pick<DeliveryOrder, 'stored' | 'items'>,
  onSent?: (bytes: number) => void,
): AsyncIterable<Uint8Array> | undefined {
  const parts = partsOf(delivered, order);
  return parts.length === 0 ? undefined : bytesOf(parts, onSent);
}

interface Part {
  readonly path: string;
  readonly size: number;
}

function partsOf(
  { parcel, load }: Delivered,
  { stored, items }: Pick<DeliveryOrder, 'stored' | 'items'>,
): readonly Part[] {
  const files = parcelFiles(parcel);
  const pathOf = (sha256: string): string =>
    join(parcel.folder, files.find((file) => file.sha256 === sha256)?.path ?? '');
  return [
    ...files
      .filter(({ sha256 }) => !stored.has(sha256))
      .map(({ path, size }) => ({ path: join(parcel.folder, path), size })),
    ...items.map(({ name, sha256, size }) => (name === 'keadm' ? load : { path: pathOf(sha256), size })),
  ];
}

async function* bytesOf(parts: readonly Part[], onSent?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  let end = 0;
  for (const { path, size } of parts) {
    end += size;
    for await (const block of fileBlocks(path, size)) {
      yield block;
      sent += block.length;
      onSent?.(sent);
    }
    // The machine counts, and would wait for the rest.
    if (sent < end) throw becameShorter(path);
  }
}
