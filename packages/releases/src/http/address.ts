import { OperatorError } from '@fenestra/kernel';

/** The name under which the credentials for a release's address are kept for the run. */
export const RELEASE_CREDENTIALS = 'release-credentials';

/** The address of a release, or `undefined` if the operator means a path. */
export function parseAddress(from: string): URL | undefined {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(from)) return undefined;
  const url = URL.parse(from);
  if (url === null || !/^https?:$/.test(url.protocol)) throw unusable('the scheme must be "https" or "http"');
  if (url.search !== '' || url.hash !== '') throw unusable('it must end with the path of a folder or tarball');
  return url;
}

/** What the run must know and no journal may: the `user:password` in the address that `--from` names, if there is one. */
export function releaseSecrets(from: string): ReadonlyMap<string, string> {
  const url = parseAddress(from);
  if (url === undefined || (url.username === '' && url.password === '')) return new Map();
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return new Map([[RELEASE_CREDENTIALS, credentials]]);
}

/** The address as it may be shown and stored: without credentials, and without a query, which may be one. */
export function publicAddress(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** The address of something below a folder's. */
export function addressBelow(folder: URL, path: string): URL {
  return new URL(`${folder.origin}${folder.pathname.replace(/\/*$/, '/')}${path}`);
}

/** The address itself is not quoted: it may hold a password. */
function unusable(reason: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use the address of the release: ${reason}`, {
    hint: 'Give an address like "https://mirror.example/fenestra/".',
  });
}
