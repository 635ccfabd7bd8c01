import { FETCH_TOOLS } from './fetch-function.ts';
import { END_MARK, readAnswers, SAY } from './answers.ts';
import { BEGIN_MARK, OURS, quote } from './bootstrap.ts';

/** Something that may lie in a machine's store already. */
export interface StoreItem {
  readonly sha256: string;
  readonly size: number;
  /** What the file is called in its folder of the store. */
  readonly name: 'keadm' | 'data';
}

/** What a machine has for a delivery. */
export interface Stock {
  /** Programs that help with it. */
  readonly tools: readonly string[];
  /** What is in the store, by name and size. */
  readonly store: readonly string[];
  readonly freeBytes?: number;
}

/** Asks a machine that something is to be brought to what it has for that. Everything of ours is below `base` there. */
export function stockScript(base: string): string {
  return [`echo ${BEGIN_MARK}`, `base=${quote(base)}`, OURS, SAY, STOCK, `echo ${END_MARK}`].join('\n');
}

/** What has dd read so many bytes and not one more, however they come, and say nothing but what went wrong. */
export const COUNTED_BYTES = 'iflag=fullblock,count_bytes status=none';
/** The name of such a dd among the tools. */
export const COUNTING = 'counting-dd';

const TOOLS = `
# A printf that is a program of its own would show its words to everybody.
if PATH=/nonexistent printf '' 2>/dev/null; then say tool printf; fi
if dd ${COUNTED_BYTES} bs=1 count=0 </dev/null 2>/dev/null; then say tool ${COUNTING}; fi
for tool in ${FETCH_TOOLS.join(' ')} openssl sha256sum zstd gzip; do command -v $tool >/dev/null 2>&1 && say tool $tool; done
`;

const ROOM = `
near=$base
while [ ! -d "$near" ]; do near=\${near%/*}; [ -n "$near" ] || near=/; done
free=$(df -Pk "$near" 2>/dev/null)
sayFree() { say free "$4"; }
set -f
sayFree \${free##*'
'}
set +f
`;

/** Folders, which end with a slash here, are listed before what is in them: one that is not ours ends the list. */
const STORE = `
if [ -d "$base/batch/store" ]; then
  found=$(ls -ldn "$base/" "$base/batch/" "$base/batch/store/" "$base"/batch/store/*/* 2>/dev/null)
  while read -r mode links owner group size rest; do
    case $rest in
      '') break ;;
      */) ours "$mode" "$owner" || break ;;
      *) say have "$size \${rest##*/batch/store/}" ;;
    esac
  done <<FOUND
$found
FOUND
fi
`;

/** What it is asked, with `base`, `ours` and `say` at hand. */
export const STOCK = `${TOOLS}${ROOM}${STORE}
say stock told
`;

/** Reads the answer; `undefined` if it is not whole, or nothing was asked. */
export function readStock(output: string): Stock | undefined {
  const answers = readAnswers(output);
  if (answers?.one('stock') !== 'told') return undefined;
  const { one, all } = answers;
  const free = one('free');
  return {
    tools: all('tool'),
    store: all('have'),
    ...(/^\d+$/.test(free) ? { freeBytes: Number(free) * 1024 } : {}),
  };
}

/** Whether the store has this. A file is only ever given its name there once its digest was right. */
export function isInStore({ store }: Pick<Stock, 'store'>, { sha256, size, name }: StoreItem): boolean {
  return store.includes(`${size} ${sha256}/${name}`);
}
