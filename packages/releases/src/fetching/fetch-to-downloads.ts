import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { StepContext } from '@fenestra/kernel';
import { type AccessControl, type FileStore, type Host, missingFolders, requireSpace } from '@fenestra/platform';
import type { AgentSource } from '../agent-source.ts';
import { download } from '../download/download.ts';
import { keptPart, partFiles, removeFile } from '../download/kept-part.ts';
import { DOWNLOAD_POLICY } from '../http/retry.ts';
import { checksumName, parseChecksum } from '../manifest/upstream-release.ts';
import { publicAddress } from '../http/address.ts';
import { lookUp, lookUpSize } from '../http/lookup.ts';

/** The ports that fetching works with. `secrets` holds the credentials that sources name. */
export interface FetchPorts {
  readonly host: Host;
  readonly files: FileStore;
  readonly access: AccessControl;
  readonly secrets: ReadonlyMap<string, string>;
}

/** One agent to be fetched. */
export interface Fetch {
  readonly source: AgentSource;
  readonly to: string;
  /** The private folder in which transfers grow. */
  readonly downloads: string;
  /** The environment variables that name proxies. */
  readonly variables: NodeJS.ProcessEnv;
}

/** The names that downloads go by: the beginning of the digest, so that two releases never share a file. */
const DOWNLOAD_NAME = /^[0-9a-f]{16}-/;

interface Transfer extends Pick<Fetch, 'downloads' | 'variables'> {
  readonly source: Pick<AgentSource, 'digest' | 'size' | 'signed' | 'location' | 'credentials'>;
}

/** Fetches a source's file from its address into the downloads folder and returns where it is. */
export async function fetchToDownloads(
  { source, downloads, variables }: Transfer,
  { ports, progress, say }: StepContext<FetchPorts>,
  signal: AbortSignal,
): Promise<string> {
  const { digest, size, signed, location } = source;
  const url = new URL(location);
  const name = `${digest.hex.slice(0, 16)}-${posix.basename(url.pathname)}`;
  const to = join(downloads, name);
  await createPrivateFolder(downloads, ports);
  await forgetOthers(downloads, name);
  const kept = await keptPart(partFiles(to));
  await requireSpace(ports.host, downloads, size - (kept?.bytes ?? 0));
  const credentials = source.credentials === undefined ? undefined : ports.secrets.get(source.credentials);
  const request = { url, credentials, httpsOnly: !signed, variables };
  await download({ request, to, size, digest }, { files: ports.files, progress, say }, DOWNLOAD_POLICY, signal);
  return to;
}

async function createPrivateFolder(path: string, { files, access }: FetchPorts): Promise<void> {
  for (const folder of await missingFolders(path)) {
    await files.createFolder(folder);
    await access.makePrivate(folder);
  }
}

/** Only one release is on its way in at a time; what was begun of another will not be resumed again. */
async function forgetOthers(downloads: string, name: string): Promise<void> {
  const names = (await readdir(downloads)).filter((found) => DOWNLOAD_NAME.test(found) && !found.startsWith(name));
  for (const other of names) await removeFile(join(downloads, other));
}

/** Where a file comes from and goes to. */
export interface CheckedFetch {
  readonly url: URL;
  /** Its own private folder. */
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
