import { isIPv6 } from 'node:net';

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
