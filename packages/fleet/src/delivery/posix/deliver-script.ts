import type { ParcelEntry } from '@fenestra/contracts';
import type { Packing } from '../loads/load.ts';
import type { ParcelFile } from '../parcel.ts';
import { BEGIN_MARK, OURS, quote } from './bootstrap.ts';
import type { StoreItem } from './survey-script.ts';

/** The last line of a delivery that went well. */
export const DONE_MARK = 'fenestra-done';
/** Begins the line that says why one did not. */
export const FAILED_MARK = 'fenestra-failed';

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
  /** Where to fetch the last item; its key is the first line of the input. */
  readonly pull: PullSource | undefined;
}

/** An address, and what is there to fetch from it with. */
export interface PullSource {
  readonly url: string;
  readonly tool: 'curl' | 'wget';
}

/** The input of the script, after itself: [the key], the bytes of entries that are not stored, the bytes of the items. */
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
    `own=$store/${program.sha256}/keadm`,
    ...keptLines(order),
    `rest() { ${unpack ?? 'cat'}; }`,
    ...(pull === undefined ? [] : [fetchFunction(pull, unpack)]),
    ...entries.flatMap((entry) => entryLines(entry, order.stored)),
    ...items.map((item, index) => itemLine(item, index === items.length - 1, pull !== undefined)),
    ...inGroups(entries.filter((entry) => isSent(entry, order.stored))).flatMap(checkLines),
    ...entries.flatMap((entry) => copyLines(entry, order.stored)),
    ...entries.toReversed().flatMap((entry) => (entry.kind === 'folder' ? [modeLine(entry)] : [])),
    ...(items.some(({ sha256 }) => sha256 === program.sha256) ? [] : [`touch "$store/${program.sha256}"`]),
    forgetScript(program.sha256),
    `echo ${DONE_MARK}`,
  ].join('\n');
}

/**
 * OpenSSL makes the digest of a large file in a quarter of the time that sha256sum takes, but takes longer to begin. Every
 * program that is started costs a millisecond or two, so none is whose answer would not change anything; but part of
 * a program is not asked for its own digest.
 */
const PRELUDE = `${OURS}
part=$run/files
fail() { rm -rf "$run/item" "$part"; echo "${FAILED_MARK} $*"; exit 1; }
room() { df -Pk "$run" 2>/dev/null | { read -r first; read -r disk blocks used free rest; echo "\${free:-1024}"; }; }
unlessfull() { if [ "$(room)" -lt 1024 ]; then fail full "$(room)"; fi; fail "$@"; }
short() { unlessfull short "$1"; }
[ -d "\${base%/*}" ] || (umask 022; mkdir -p "\${base%/*}") || fail folder
old=
if [ -e "$part" ]; then old=yes; fi
set -- "$store"
for each in $new; do set -- "$@" "$store/$each"; done
mkdir -p "$part" "$@" || { [ -d "$run" ] && short folder; fail folder; }
ls -ldn "$base/" "$base/batch/" "$store/" "$base/batch/runs/" 2>/dev/null | (
  while read -r mode links owner rest; do ours "$mode" "$owner" || exit 1; done
) || fail owner "$base/batch"
if [ -n "$old" ]; then
  rm -rf "$part"
  mkdir "$part" || short folder
fi
if [ -n "$whole" ]; then
  take() {
    if [ "$1" -ge 65536 ]; then dd bs=65536 count=$(($1 / 65536)) iflag=fullblock 2>/dev/null; fi
    if [ $(($1 % 65536)) -gt 0 ]; then dd bs=$(($1 % 65536)) count=1 iflag=fullblock 2>/dev/null; fi
  }
elif [ "$(printf ab | { head -c 1 >/dev/null 2>&1; cat; })" = b ]; then take() { head -c "$1"; }
else take() { dd bs=1 count="$1" 2>/dev/null; }; fi
if command -v sha256sum >/dev/null 2>&1; then digest() { sha256sum < "$1"; }
elif command -v openssl >/dev/null 2>&1; then digest() { openssl dgst -sha256 -r < "$1"; }
else digest() { if [ -x "$own" ]; then "$own" far-end digest "$1"; else chmod 700 "$1"; "$1" far-end digest "$1"; fi; }; fi
size() { [ "$(wc -c < "$1")" -eq "$2" ] || short "$3"; }
check() { set -- "$2" "$3" $(digest "$1"); [ "$1" = "$3" ] || fail digest "$3" "$2"; }
if command -v openssl >/dev/null 2>&1; then bulk() { openssl dgst -sha256 -r < "$1"; }
else bulk() { [ "$(wc -c < "$1")" -eq "$2" ] && digest "$1"; }; fi
kept() {
  found=$(bulk "$store/$1/$3" "$2")
  if [ "\${found%% *}" != "$1" ]; then rm -rf "$store/$1"; fail damaged "$3"; fi
}
same() { [ "$(cd "$part" && sha256sum -- "$@" 2>/dev/null)" = "$sums" ]; }
item() {
  "$4" "$2" > "$run/item"
  [ "$4" != fetch ] || [ -s "$run/item" ] || fail unreachable
  found=$(bulk "$run/item" "$2")
  if [ "\${found%% *}" != "$1" ]; then
    if [ "$4" != take ] && [ -n "$packing" ]; then unlessfull unpack "$packing"; fi
    size "$run/item" "$2" "$3"
    fail digest "\${found%% *}" "$3"
  fi
  chmod 700 "$run/item" && mv -f "$run/item" "$store/$1/$3" || fail write
}
`;

/**
 * What no run has used for a month is not missed, nor is what one has left behind that was never gone on with. Where there
 * is nothing besides what this run has put there, nobody has to look for it.
 */
function forgetScript(program: string): string {
  return `
others=
for each in "$store"/* "$base"/batch/runs/*; do
  case " \${run##*/} ${program} $new " in *" \${each##*/} "*) ;; *) others=yes ;; esac
done
if [ -n "$others" ]; then
  find "$store" "$base/batch/runs" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} + 2>/dev/null
fi
`;
}

/**
 * The key comes by a file descriptor, so that no process list shows it. The address does with wget, not all of which take
 * it otherwise: what is there is of no use without the key.
 */
function fetchFunction({ url, tool }: PullSource, unpack: string | undefined): string {
  const get =
    tool === 'curl'
      ? `printf 'url = "%s"\\n' ${quote(url)} | curl -q -K - -fsS --connect-timeout 3 --speed-limit 1024 --speed-time 30`
      : `wget -q -T 10 -O - ${quote(url)}`;
  const unpacked = unpack === undefined ? '' : ` | ${unpack}`;
  return `
# What openssl writes it writes in pieces of 4 KiB.
large=
if command -v stdbuf >/dev/null 2>&1; then large='stdbuf -o256K'; fi
unset http_proxy HTTP_PROXY https_proxy HTTPS_PROXY all_proxy ALL_PROXY
IFS= read -r key
fetch() {
  { ${get} | $large openssl enc -d -aes-256-ctr -pbkdf2 -iter ${PULL_ITERATIONS} -md sha256 -bufsize 65536 -pass fd:3${unpacked}; } 3<<KEY
$key
KEY
}`;
}

/** No more than what was announced, whatever somebody on the way has made of it. */
function unpacker(packing: Packing, size: number): string {
  return `(ulimit -f ${Math.ceil(size / LIMIT_BYTES) + 1}; ${packing} -dc)`;
}

/** What a shell counts the size of files in. */
const LIMIT_BYTES = 512;

/** The key is as long as a key can be; more rounds would add nothing. */
export const PULL_ITERATIONS = 1000;

/** So many files are checked by one call: starting a program costs more than what it does to a small file. */
const GROUP_FILES = 100;

function isSent(entry: ParcelEntry, stored: ReadonlySet<string>): entry is ParcelFile {
  return entry.kind === 'file' && !stored.has(entry.sha256);
}

function inGroups(files: readonly ParcelFile[]): readonly (readonly ParcelFile[])[] {
  return Array.from({ length: Math.ceil(files.length / GROUP_FILES) }, (_, index) =>
    files.slice(index * GROUP_FILES, (index + 1) * GROUP_FILES),
  );
}

function entryLines(entry: ParcelEntry, stored: ReadonlySet<string>): readonly string[] {
  if (entry.kind === 'folder') return [`mkdir "$part/"${quote(entry.path)} || short folder`];
  return isSent(entry, stored) ? [`take ${entry.size} > "$part/"${quote(entry.path)}`] : [];
}

/** All at once, and one by one only if that cannot be done, or something is wrong. */
function checkLines(files: readonly ParcelFile[]): readonly string[] {
  const sums = files.map(({ sha256, path }) => `${sha256}  ${path}`).join('\n');
  const modes = [...new Set(files.map(({ mode }) => mode))];
  return [
    `sums=${quote(sums)}`,
    `same ${files.map(({ path }) => quote(path)).join(' ')} || {`,
    ...files.map(({ path, size, sha256 }) => {
      const [file, name] = [`"$part/"${quote(path)}`, quote(path)];
      return `size ${file} ${size} ${name}; check ${file} ${sha256} ${name}`;
    }),
    '}',
    ...modes.map((mode) => {
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
