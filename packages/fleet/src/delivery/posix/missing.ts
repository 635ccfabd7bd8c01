import type { Findings, Payload, Missing } from '../far-system.ts';
import { type Parcel, type ParcelFile, parcelFiles } from '../parcel.ts';

/** Smaller files are sent again sooner than looked for. */
const WORTH_KEEPING_BYTES = 1024 * 1024;
const OTHERS = 0o077;

/** The files of a parcel that the store keeps: large ones that are not secret. */
export function storedFiles(parcel: Parcel): readonly ParcelFile[] {
  return parcelFiles(parcel).filter(({ size, mode }) => size >= WORTH_KEEPING_BYTES && (mode & OTHERS) !== 0);
}

/** What of the payload is not there, by what the survey found in the store. */
export function posixMissing(notes: Findings['notes'], { program, parcel }: Payload): Missing {
  const store = (notes['store'] ?? '').split(',');
  const stored = storedFiles(parcel);
  const lacking = new Map(
    stored.filter((file) => !isInStore(store, { ...file, name: 'data' })).map(({ sha256, size }) => [sha256, size]),
  );
  const lacksProgram = !isInStore(store, { ...program, name: 'keadm' });
  const small = parcel.bytes - sum(stored.map(({ size }) => size));
  return {
    program: lacksProgram,
    files: [...lacking.keys()],
    bytes: (lacksProgram ? program.size : 0) + sum([...lacking.values()]) + small,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Something that may lie in a machine's store already. */
export interface StoreItem {
  readonly sha256: string;
  readonly size: number;
  /** What the file is called in its folder of the store. */
  readonly name: 'keadm' | 'data';
}

/** Whether the store has this. A file is only ever given its name there once its digest was right. */
function isInStore(store: readonly string[], { sha256, size, name }: StoreItem): boolean {
  return store.includes(`${size} ${sha256}/${name}`);
}
