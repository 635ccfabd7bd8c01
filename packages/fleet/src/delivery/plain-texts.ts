import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Parcel } from './parcel.ts';

/** A script with more in it would take long to read for some shells. */
const MOST_BYTES = 64 * 1024;
/** What every shell takes as it is between single quotes. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * The small files of a parcel that are plain text, by their path. A script can have them in itself, and no program has to
 * be started on the machine to take each of them out of what is sent. They were read just before for their digest, so
 * that waiting for each would take longer than reading it; they are not kept, for every node may have files of its own.
 */
export function plainTexts({ folder, entries }: Parcel): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let left = MOST_BYTES;
  for (const entry of entries) {
    if (entry.kind !== 'file' || entry.size > left) continue;
    const text = readFileSync(join(folder, entry.path), 'latin1');
    if (!PLAIN.test(text) || text.length > left) continue;
    texts.set(entry.path, text);
    left -= text.length;
  }
  return texts;
}
