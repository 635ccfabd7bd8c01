import type { ParcelEntry } from '../../far-end/messages.ts';
import type { Packing } from '../loads.ts';
import type { ParcelFile } from '../parcel.ts';
import { BEGIN_MARK, quote } from './bootstrap.ts';
import { fetchFunction, PRELUDE, type PullSource, TAKE } from './deliver-functions.ts';
import type { StoreItem } from './missing.ts';

/** The last line of a delivery that went well. */
export const DONE_MARK = 'fenestra-done';

/** What is sent, where to, and how the program gets there. */
export interface DeliveryOrder {
  readonly base: string;
  readonly runName: string;
  /** The program, which is in the store at the end. */
  readonly program: StoreItem;
  readonly entries: readonly ParcelEntry[];
  /** Digests of those entries whose bytes are in the store, or come as `items`. */
  readonly stored: ReadonlySet<string>;
  /** What the store lacks, in the order in which the bytes come. */
  readonly items: readonly StoreItem[];
  /** How the last item is packed. */
  readonly packing: Packing | undefined;
  /** Where to fetch the last item. */
  readonly pull: PullSource | undefined;
}

/** The input of the script, after itself: the bytes of entries that are not stored, the bytes of the items. */
export function deliverScript(order: DeliveryOrder): string {
  const { base, runName, program, entries, items, packing, pull } = order;
  const unpack = packing === undefined ? undefined : unpacker(packing, items.at(-1)?.size ?? 0);
  return [
    `echo ${BEGIN_MARK}`,
    `base=${quote(base)}`,
    `run=$base/batch/runs/${quote(runName)}`,
    'store=$base/batch/store',
    `new='${items.map(({ sha256 }) => sha256).join(' ')}'`,
    `packing=${packing ?? ''}`,
    PRELUDE,
    ...(takesParts(order) ? [TAKE] : []),
    `own=$store/${program.sha256}/keadm`,
    ...keptLines(order),
    `rest() { ${unpack ?? 'cat'}; }`,
    ...(pull === undefined ? [] : [fetchFunction(pull, unpack)]),
    ...entries.flatMap((entry) => entryLines(entry, order)),
    'umask 077',
    ...items.map((item, index) => itemLine(item, index === items.length - 1, pull !== undefined)),
    ...inGroups(entries.filter((entry) => isSent(entry, order.stored))).flatMap(checkLines),
    ...entries.flatMap((entry) => copyLines(entry, order.stored)),
    ...entries.toReversed().flatMap((entry) => (entry.kind === 'folder' ? [modeLine(entry)] : [])),
    ...(items.some(({ sha256 }) => sha256 === program.sha256) ? [] : [`touch "$store/${program.sha256}"`]),
    FORGET,
    `echo ${DONE_MARK}`,
  ].join('\n');
}

/** What no run has used for a month is removed, and so is what an abandoned run has left behind. */
const FORGET = 'find "$store" "$base/batch/runs" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} + 2>/dev/null';

/** No more than what was announced, whatever someone on the way has made of it. */
function unpacker(packing: Packing, size: number): string {
  return `(ulimit -f ${Math.ceil(size / LIMIT_BYTES) + 1}; ${packing} -dc)`;
}

const LIMIT_BYTES = 512;

/** So many files are checked by one call: starting a program costs more than what it does to a small file. */
const GROUP_FILES = 100;

function takesParts({ entries, stored, items }: DeliveryOrder): boolean {
  return items.length > 1 || entries.some((entry) => isSent(entry, stored));
}

function isSent(entry: ParcelEntry, stored: ReadonlySet<string>): entry is ParcelFile {
  return entry.kind === 'file' && !stored.has(entry.sha256);
}

function inGroups(files: readonly ParcelFile[]): readonly (readonly ParcelFile[])[] {
  return Array.from({ length: Math.ceil(files.length / GROUP_FILES) }, (_, index) =>
    files.slice(index * GROUP_FILES, (index + 1) * GROUP_FILES),
  );
}

function entryLines(entry: ParcelEntry, { stored }: DeliveryOrder): readonly string[] {
  const path = `"$part/"${quote(entry.path)}`;
  if (entry.kind === 'folder') return ['umask 077', `mkdir ${path} || short folder`];
  if (!isSent(entry, stored)) return [];
  return [`umask ${isOpen(entry) ? octal(ALL_BITS & ~entry.mode) : '077'}`, `take ${entry.size} > ${path}`];
}

const ALL_BITS = 0o777;
const READABLE_BY_ALL = 0o444;
const RUNNABLE_BY_ANY = 0o111;

/** A file that anyone may read has its mode from its beginning; a folder's own rules could add to that of a secret. */
function isOpen({ mode }: ParcelEntry): boolean {
  return (mode & READABLE_BY_ALL) === READABLE_BY_ALL && (mode & RUNNABLE_BY_ANY) === 0;
}

/** All at once, and one by one only if that cannot be done, or something is wrong. */
function checkLines(files: readonly ParcelFile[]): readonly string[] {
  const sums = files.map(({ sha256, path }) => `${sha256}  ${path}`).join('\n');
  const modes = new Set(files.filter((file) => !isOpen(file)).map(({ mode }) => mode));
  return [
    `sums=${quote(sums)}`,
    `same ${files.map(({ path }) => quote(path)).join(' ')} || {`,
    ...files.map(({ path, size, sha256 }) => {
      const [file, name] = [`"$part/"${quote(path)}`, quote(path)];
      return `size ${file} ${size} ${name}; check ${file} ${sha256} ${name}`;
    }),
    '}',
    ...[...modes].map((mode) => {
      const those = files.filter((file) => file.mode === mode);
      return `chmod ${octal(mode)} ${those.map(({ path }) => `"$part/"${quote(path)}`).join(' ')}`;
    }),
  ];
}

/** What is in the store already is run, or copied, as it is: a disk may have damaged it since it came. */
function keptLines({ program, entries, stored, items }: DeliveryOrder): readonly string[] {
  const files = entries.flatMap((entry): StoreItem[] =>
    entry.kind === 'file' && stored.has(entry.sha256) ? [{ ...entry, name: 'data' }] : [],
  );
  const kept = [program, ...files].filter(({ sha256 }) => !items.some((item) => item.sha256 === sha256));
  return kept.map(({ sha256, size, name }) => `kept ${sha256} ${size} ${name}`);
}

function copyLines(entry: ParcelEntry, stored: ReadonlySet<string>): readonly string[] {
  if (entry.kind === 'folder' || !stored.has(entry.sha256)) return [];
  const path = quote(entry.path);
  return [
    `cp "$store/${entry.sha256}/data" "$part/"${path}; size "$part/"${path} ${entry.size} ${path}; chmod ${octal(entry.mode)} "$part/"${path}`,
    `touch "$store/${entry.sha256}"`,
  ];
}

function itemLine({ sha256, size, name }: StoreItem, last: boolean, pulled: boolean): string {
  const reader = !last ? 'take' : pulled ? 'fetch' : 'rest';
  return `item ${sha256} ${size} ${name} ${reader}`;
}

function modeLine({ path, mode }: ParcelEntry): string {
  return `chmod ${octal(mode)} "$part/"${quote(path)}`;
}

function octal(mode: number): string {
  return mode.toString(8);
}
