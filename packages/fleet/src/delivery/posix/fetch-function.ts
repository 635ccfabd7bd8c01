import { quote } from './bootstrap.ts';

/** An address, the key to what is there, and what there is to fetch it with. */
export interface PullSource {
  readonly url: string;
  readonly key: string;
  readonly tool: 'curl' | 'wget';
}

/** The key is as long as a key can be; more rounds would add nothing. */
export const PULL_ITERATIONS = 1000;

/**
 * The key comes by a file descriptor, so that no process list shows it. The address does with wget, not all of which take
 * it otherwise: what is there is of no use without the key.
 */
export function fetchFunction({ url, key, tool }: PullSource, unpack: string | undefined): string {
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
fetch() {
  { ${get} | $large openssl enc -d -aes-256-ctr -pbkdf2 -iter ${PULL_ITERATIONS} -md sha256 -bufsize 65536 -pass fd:3${unpacked}; } 3<<'KEY'
${key}
KEY
}`;
}
