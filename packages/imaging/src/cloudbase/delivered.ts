import { gunzipSync } from 'node:zlib';
import type { MetadataService } from './service.ts';

/** What the machine has after the metadata service has done its part. */
export type Delivered =
  | { readonly kind: 'text'; readonly text: string; readonly unpacked: boolean }
  | { readonly kind: 'empty' }
  | { readonly kind: 'packed'; readonly reason: 'service' | 'broken' }
  | { readonly kind: 'not-text' };

/** More than this never was a packed user-data: it is a trap for whoever unpacks it. */
const MOST_UNPACKED = 16 * 1_048_576;

/** Unpacks and decodes user-data as the service and then the plugin do. */
export function deliver(bytes: Uint8Array, service: MetadataService | undefined): Delivered {
  if (bytes.length === 0) return { kind: 'empty' };
  if (!isGzip(bytes)) return decoded(bytes, false);
  if (service !== undefined && !service.unpacksGzip) return { kind: 'packed', reason: 'service' };
  try {
    return decoded(gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED }), true);
  } catch {
    return { kind: 'packed', reason: 'broken' };
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function decoded(bytes: Uint8Array, unpacked: boolean): Delivered {
  if (bytes.length === 0) return { kind: 'empty' };
  try {
    // A mark of the byte order is kept: it hides the first line from cloudbase-init.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: 'text', text, unpacked };
  } catch {
    return { kind: 'not-text' };
  }
}
