import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { releaseInvalid } from '../release-errors.ts';

/** Far more than any release has; less than what a small archive made to fill a disk can grow to. */
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3;

/** Who takes a member's content. */
export interface MemberSink {
  /** Called once, before any content. */
  readonly begin: (size: number) => Promise<void>;
  readonly write: (piece: Uint8Array) => Promise<void>;
}

/** Which member of an archive is meant: by its whole name, or by the last part of it, wherever it is. */
export type MemberName = string | { readonly lastPart: string };

/**
 * Hands one member of a tar archive to the sink and reads on to the archive's end. Nothing else is unpacked; an archive
 * with a link in it, or with a name that leads out of its folder, is refused as a whole.
 */
export async function readMember(tar: AsyncIterable<Uint8Array>, member: MemberName, sink: MemberSink): Promise<void> {
  await readEntries(tar, async (entries) => takeMember(entries, member, sink));
}

/** Hands the entries of a tar archive to `take`. Both ends of the stream have ended when it returns or throws: nothing is taken any more. */
export async function readEntries<Result>(
  tar: AsyncIterable<Uint8Array>,
  take: (entries: ReadableStream<ParsedTarEntry>) => Promise<Result>,
): Promise<Result> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const [taken, fed] = await Promise.allSettled([take(readable), feed(limited(tar), writable)]);
  if (taken.status === 'rejected') throw taken.reason;
  if (fed.status === 'rejected') throw fed.reason;
  return taken.value;
}

async function takeMember(
  entries: ReadableStream<ParsedTarEntry>,
  member: MemberName,
  sink: MemberSink,
): Promise<void> {
  let found = 0;
  for await (const entry of entries) {
    requireHarmless(entry);
    if (!isMeant(entry, member)) {
      await readAway(entry.body);
      continue;
    }
    found += 1;
    if (entry.header.type !== 'file' || found > 1) throw refused(`"${nameOf(member)}" is in it twice or is not a file`);
    await sink.begin(entry.header.size);
    for await (const piece of entry.body) await sink.write(piece);
  }
  if (found === 0) throw refused(`it does not contain "${nameOf(member)}"`);
}

/** Not cancelled: that would make the decoder forget the content of the member after it, if that has begun already. */
async function readAway(body: ReadableStream<Uint8Array>): Promise<void> {
  await body.pipeTo(new WritableStream());
}

function isMeant({ header: { name, type } }: ParsedTarEntry, member: MemberName): boolean {
  if (typeof member === 'string') return name === member;
  return type === 'file' && name.split('/').at(-1) === member.lastPart;
}

function nameOf(member: MemberName): string {
  return typeof member === 'string' ? member : member.lastPart;
}

async function feed(tar: AsyncIterable<Uint8Array>, decoder: WritableStream<Uint8Array>): Promise<void> {
  const writer = decoder.getWriter();
  try {
    for await (const piece of tar) await writer.write(piece);
    await writer.close();
  } catch (cause) {
    await writer.abort(cause);
    throw cause;
  }
}

async function* limited(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of tar) {
    bytes += piece.length;
    if (bytes > MAX_UNPACKED_BYTES) throw refused('its unpacked size is above the limit');
    yield piece;
  }
}

/** Throws unless the entry is a file or folder inside the archive's own folder. */
export function requireHarmless({ header: { name, type } }: ParsedTarEntry): void {
  if (type !== 'file' && type !== 'directory') throw refused(`"${name}" in it is a ${type ?? 'thing'} and no file`);
  const parts = name.split(/[/\\]/);
  if (parts.includes('..') || /^([/\\]|[a-z]:)/i.test(name)) throw refused(`"${name}" in it points outside its folder`);
}

function refused(reason: string): Error {
  return releaseInvalid(`unpack the archive: ${reason}`, 'Get the archive from the KubeEdge release page.');
}
