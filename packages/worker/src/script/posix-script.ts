import type { ScriptRequest } from './prepare-script.ts';

/** For any POSIX shell; needs curl or wget only where keadm comes from a URL. */
export function posixScript({ source, sha256, words }: ScriptRequest): string {
  return String.raw`#!/bin/sh
# Makes this machine ready to be a Kubernetes worker: gets keadm, verifies it and runs it.
# Run it as root. It can be run again.
set -eu

source=${posixText(source)}
sha256='${sha256}'
set -- ${words.map(posixText).join(' ')}

fail() {
  printf 'Error: %s\n' "$1" >&2
  exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
program=$folder/keadm

case $source in
http://* | https://*)
  if command -v curl >/dev/null; then
    curl -fsSL -o "$program" -- "$source" || fail "cannot download $source"
  elif command -v wget >/dev/null; then
    wget -q -O "$program" -- "$source" || fail "cannot download $source"
  else
    fail "cannot download $source: there is neither curl nor wget"
  fi
  ;;
*)
  cp -- "$source" "$program" || fail "cannot copy $source"
  ;;
esac
found=$(sha256sum <"$program" | cut -d ' ' -f 1)
[ "$found" = "$sha256" ] || fail "$source is not the keadm that this script was made for: its SHA-256 is $found"

chmod 700 "$program"
code=0
"$program" "$@" || code=$?
exit "$code"
`;
}

/** A text as one word of the shell. */
function posixText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
