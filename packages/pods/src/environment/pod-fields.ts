import type { Pod } from '../pod/pod.ts';

/** The addresses of a pod and of its node, the primary ones first. */
export interface Addresses {
  readonly podIps: readonly string[];
  readonly hostIps: readonly string[];
}

/** The value of a field of a pod, as a `fieldRef` names it; undefined for a field that cannot be referred to. */
export function podField(pod: Pod, path: string, addresses: Addresses): string | undefined {
  const { metadata, spec } = pod;
  const { podIps, hostIps } = addresses;
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace;
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return hostIps[0] ?? '';
    case 'status.hostIPs':
      return hostIps.join(',');
    case 'status.podIP':
      return podIps[0] ?? '';
    case 'status.podIPs':
      return podIps.join(',');
    default:
      return subscript(pod, path);
  }
}

/** `metadata.labels['key']` or `metadata.annotations['key']`. */
function subscript({ metadata }: Pod, path: string): string | undefined {
  const [, field, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/s.exec(path) ?? [];
  if (key === undefined) return undefined;
  const map = field === 'labels' ? metadata.labels : metadata.annotations;
  return map !== undefined && Object.hasOwn(map, key) ? (map[key] ?? '') : '';
}

/** Sorted lines `key="escaped value"`, as the downward API writes maps. */
function formatMap(map: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(map ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .join('\n');
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** A text as Go quotes it. */
function goQuote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what has to be escaped
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]/g, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
    return SHORT_ESCAPES[character] ?? `\\x${hex}`;
  });
  return `"${escaped}"`;
}
