import { isIPv6 } from 'node:net';
import { quote } from './bootstrap.ts';

/** The programs that can fetch, the one that costs least first. */
export const FETCH_TOOLS = ['bash', 'curl', 'wget'] as const;

/** Where something is, the key to it, and what there is to fetch it with. */
export interface PullSource {
  /** A name or an address; one of IPv6 may have a zone. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly tool: (typeof FETCH_TOOLS)[number];
}

/** The key is as long as a key can be; more rounds would add nothing. */
export const PULL_ITERATIONS = 1000;

const OPEN = `openssl enc -d -aes-256-ctr -pbkdf2 -iter ${PULL_ITERATIONS} -md sha256 -bufsize 65536 -pass fd:3`;

/**
 * The key comes by a file descriptor, so that no process list shows it. The address does with wget, not all of which take
 * it otherwise: what is there is of no use without the key.
 */
export function fetchFunction(source: PullSource, unpack: string | undefined): string {
  return `
unset http_proxy HTTP_PROXY https_proxy HTTPS_PROXY all_proxy ALL_PROXY BASH_ENV
fetch() {
  { ${pipeline(source)}${unpack === undefined ? '' : ` | ${unpack}`}; } 3<<'KEY'
${source.tool === 'bash' ? `${source.path}\n` : ''}${source.key}
KEY
}`;
}

function pipeline({ host, port, path, tool }: PullSource): string {
  if (tool === 'bash') return `bash -c ${quote(BASH_SCRIPT)} fenestra ${quote(host)} ${port} "$run/item"`;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
  if (tool === 'wget') return `wget -q -T 10 -O - ${quote(url)} | ${OPEN}`;
  const limits = '--connect-timeout 3 --speed-limit 1024 --speed-time 30';
  return `printf 'url = "%s"\\n' ${quote(url)} | curl -q -K - -fsS ${limits} | ${OPEN}`;
}

/**
 * openssl reads from the connection itself: a program in between would cost as much as all that openssl does. Nothing ends
 * a connection whose other end is gone, so somebody watches: whether there is an answer in 5 s, and then, for as long as
 * openssl holds a pipe, whether anything comes in 30 s. Versions before 4 do not tell that time is up.
 */
const BASH_SCRIPT = `
[ "\${BASH_VERSINFO[0]}" -ge 4 ] || exit 7
watch() {
  read -r -t 5
  [ $? -le 128 ] || kill $$
  old=0
  while read -r -t 30; [ $? -gt 128 ]; do
    new=$(wc -c < "$1")
    [ "$new" != "$old" ] || kill $$
    old=$new
  done
}
exec 6> >(watch "$3" >/dev/null 2>&1 3<&-) || exit 7
read -r path <&3
exec 5<>"/dev/tcp/$1/$2" || exit 7
printf 'GET %s HTTP/1.0\\r\\n\\r\\n' "$path" >&5
read -r protocol status reason <&5
[ "$status" = 200 ] || exit 22
while read -r line <&5 && [ "$line" != $'\\r' ]; do :; done
echo >&6
exec ${OPEN} <&5
`;
