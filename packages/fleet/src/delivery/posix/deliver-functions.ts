import { isIPv6 } from 'node:net';
import { OURS } from './bootstrap.ts';

/** Begins the line that says why one did not. */
export const FAILED_MARK = 'fenestra-failed';

/** What every delivery begins with: the folders, which have to be ours, and functions. */
export const PRELUDE = `${OURS}
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
if command -v openssl >/dev/null 2>&1; then digest() { openssl dgst -sha256 -r < "$1"; }
elif command -v sha256sum >/dev/null 2>&1; then digest() { sha256sum < "$1"; }
else digest() { if [ -x "$own" ]; then "$own" far-end digest "$1"; else chmod 700 "$1"; "$1" far-end digest "$1"; fi; }; fi
size() { [ "$(wc -c < "$1")" -eq "$2" ] || short "$3"; }
check() { set -- "$2" "$3" $(digest "$1"); [ "$1" = "$3" ] || fail digest "$3" "$2"; }
# Part of a program is not asked for its own digest.
measured() { [ "$(wc -c < "$1")" -eq "$2" ] && digest "$1"; }
kept() {
  found=$(measured "$store/$1/$3" "$2")
  if [ "\${found%% *}" != "$1" ]; then rm -rf "$store/$1"; fail damaged "$3"; fi
}
same() { [ "$(cd "$part" && sha256sum -- "$@" 2>/dev/null)" = "$sums" ]; }
item() {
  "$4" "$2" > "$run/item"
  [ "$4" != fetch ] || [ -s "$run/item" ] || fail unreachable
  found=$(measured "$run/item" "$2")
  if [ "\${found%% *}" != "$1" ]; then
    if [ "$4" != take ] && [ -n "$packing" ]; then unlessfull unpack "$packing"; fi
    size "$run/item" "$2" "$3"
    fail digest "\${found%% *}" "$3"
  fi
  chmod 700 "$run/item" && mv -f "$run/item" "$store/$1/$3" || fail write
}
`;

/** How a part of the input is read, and not a byte more. */
export const TAKE = `
if [ -n "$whole" ]; then
  take() {
    if [ "$1" -ge 65536 ]; then dd bs=65536 count=$(($1 / 65536)) iflag=fullblock 2>/dev/null; fi
    if [ $(($1 % 65536)) -gt 0 ]; then dd bs=$(($1 % 65536)) count=1 iflag=fullblock 2>/dev/null; fi
  }
elif [ "$(printf ab | { head -c 1 >/dev/null 2>&1; cat; })" = b ]; then take() { head -c "$1"; }
else take() { dd bs=1 count="$1" 2>/dev/null; }; fi
`;

/** Where to fetch something by HTTPS, and which server to expect there. */
export interface PullSource {
  /** A name or an address; one of IPv6 may have a zone. */
  readonly host: string;
  readonly port: number;
  /** Secret. */
  readonly path: string;
  /** The server's public key, as curl's `--pinnedpubkey` takes it. */
  readonly pin: string;
}

/**
 * The URL comes by the input, so that no process list shows the path. The pinned key takes the place of a certification
 * authority, which is why curl must not look for one (`--insecure`): a server with another key is refused all the same.
 */
export function fetchFunction({ host, port, path, pin }: PullSource, unpack: string | undefined): string {
  const url = `https://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
  return `
fetch() {
  curl -q -K - -fsS ${LIMITS} --noproxy '*' --insecure --pinnedpubkey '${pin}' <<'URL'${unpack === undefined ? '' : ` | ${unpack}`}
url = "${url}"
URL
}`;
}

const LIMITS = '--connect-timeout 3 --speed-limit 1024 --speed-time 30';
