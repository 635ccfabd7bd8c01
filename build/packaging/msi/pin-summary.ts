/** The format that the summary of a package has: F29F85E0-4FF9-1068-AB91-08002B27B3D9. */
const SUMMARY_FORMAT = Buffer.from('e0859ff2f94f6810ab9108002b27b3d9', 'hex');
/** Where the format stands in the stream. */
const FORMAT_OFFSET = 28;
const SECTION_OFFSET = FORMAT_OFFSET + 16;
const TEXT = 0x1e;
const TIME = 0x40;
/** The properties of the summary that differ each time, by their numbers. */
const REVISION = 9;
const TIMES = [12, 13];
/** Windows counts in tenths of microseconds, from 1601 on. */
const UNIX_EPOCH_SECONDS = 11_644_473_600n;
const TICKS_PER_SECOND = 10_000_000n;

/** What the summary is to say of the package. */
export interface PinnedSummary {
  /** The package code, a UUID. */
  readonly code: string;
  /** When it was made and changed, in seconds since 1970. */
  readonly epoch: number;
}

/** Writes a package's code and times over those that the tools have made up: nothing else in it differs between two builds. */
export function pinSummary(database: Buffer, { code, epoch }: PinnedSummary): void {
  const properties = summaryProperties(database);
  const at = (id: number, type: number): number => {
    const offset = properties.get(id);
    if (offset === undefined || database.readUInt32LE(offset) !== type) throw new Error(`The summary has no ${id}`);
    return offset + 4;
  };
  const text = `{${code.toUpperCase()}}`;
  const revision = at(REVISION, TEXT);
  if (database.readUInt32LE(revision) !== text.length + 1) throw new Error('The package code has another length');
  database.write(text, revision + 4, 'latin1');
  const ticks = (BigInt(epoch) + UNIX_EPOCH_SECONDS) * TICKS_PER_SECOND;
  for (const id of TIMES) database.writeBigUInt64LE(ticks, at(id, TIME));
}

/** Where each property's type stands. The stream is so small that the tools write it in one piece. */
function summaryProperties(database: Buffer): ReadonlyMap<number, number> {
  const format = database.indexOf(SUMMARY_FORMAT);
  if (format === -1) throw new Error('The package has no summary');
  const stream = format - FORMAT_OFFSET;
  const section = stream + database.readUInt32LE(stream + SECTION_OFFSET);
  const count = database.readUInt32LE(section + 4);
  const entries = Array.from({ length: count }, (_, index) => section + 8 + index * 8);
  return new Map(
    entries.map((entry) => [database.readUInt32LE(entry), section + database.readUInt32LE(entry + 4)] as const),
  );
}
