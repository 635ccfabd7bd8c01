import { posix } from 'node:path';
import { checksumName, parseChecksum } from '../manifest/upstream-release.ts';
import { publicAddress } from '../http/address.ts';
import { lookUp, lookUpSize } from '../http/lookup.ts';
import { type FetchPorts, fetchToDownloads } from './fetch-to-downloads.ts';

/** Where a file comes from and goes to. */
export interface CheckedFetch {
  readonly url: URL;
  /** A private folder of its own. */
  readonly downloads: string;
  /** The environment variables that name proxies. */
  readonly variables: NodeJS.ProcessEnv;
}

/**
 * Fetches a file that has its checksum file beside it, by HTTPS alone, and returns where it is; `undefined` if either of
 * them is not there.
 */
export async function fetchChecked(
  { url, downloads, variables }: CheckedFetch,
  ports: FetchPorts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const access = { credentials: undefined, variables, httpsOnly: true };
  const checksum = new URL(checksumName(posix.basename(url.pathname)), url);
  const promise = await lookUp({ ...access, url: checksum }, signal);
  if (promise === undefined) return undefined;
  const size = await lookUpSize({ ...access, url }, signal);
  if (size === undefined) return undefined;
  const digest = { algorithm: 'sha512', hex: parseChecksum(promise.bytes.toString('utf8'), checksum.href) } as const;
  const source = { digest, size, signed: false, location: publicAddress(url) };
  const context = { ports, progress: () => {}, say: () => {} };
  return fetchToDownloads({ source, downloads, variables }, context, signal);
}
