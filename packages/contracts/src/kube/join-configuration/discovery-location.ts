import { fileURLToPath } from 'node:url';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';

/** Where a discovery kubeconfig is, or what is wrong with what was said of it. */
export type DiscoveryLocation =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'invalid'; readonly message: string };

/**
 * Tells a path from an address. One letter and a colon is a drive and never the scheme of an address, which is why
 * `C:\x.conf` and `C:/x.conf` are paths.
 */
export function discoveryLocation(written: string, os: NodeOs): DiscoveryLocation {
  const text = written.trim();
  if (text === '') return invalid('must be the path of a kubeconfig or an address that begins with "https://"');
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'file', path: text };
  if (scheme === 'file') return fileLocation(text, os);
  if (scheme === 'https' && URL.canParse(text)) return { kind: 'url', url: text };
  return invalid('must be a path, or an address that begins with "https://"');
}

function fileLocation(text: string, os: NodeOs): DiscoveryLocation {
  try {
    return { kind: 'file', path: fileURLToPath(text, { windows: os === 'windows' }) };
  } catch {
    return invalid(`is not a file URL, such as "file:///${os === 'windows' ? 'C:/' : ''}etc/discovery.conf"`);
  }
}

function invalid(message: string): DiscoveryLocation {
  return { kind: 'invalid', message };
}
