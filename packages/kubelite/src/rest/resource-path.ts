import { badRequest } from '../objects/status-error.ts';

/** Which resource a path is about. What it does not name is empty. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
}

const NAMESPACE_PARTS = new Set(['status', 'finalize']);

/** Reads `/api/v1/…` and `/apis/<group>/<version>/…`; undefined for every other path, discovery included. */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const [root, ...parts] = withoutOuterSlashes(path.split('/')).map(decode);
  if (root === 'api') return resourceAt('', parts);
  if (root !== 'apis') return;
  const [group = '', ...rest] = parts;
  return group === '' ? undefined : resourceAt(group, rest);
}

function resourceAt(group: string, [version = '', ...parts]: readonly string[]): ResourcePath | undefined {
  const [first = '', second = '', third = ''] = parts;
  if (first === '') return;
  // `namespaces/x/pods` is about pods; `namespaces/x` and `namespaces/x/status` about the namespace itself.
  const inside = first === 'namespaces' && third !== '' && !NAMESPACE_PARTS.has(third);
  const namespace = inside ? second : '';
  const [plural = '', name = '', ...sub] = inside ? parts.slice(2) : parts;
  return { group, version, namespace, plural, name, subresource: sub.join('/') };
}

/** By position: a regular expression for the slashes at the end takes quadratic time. */
function withoutOuterSlashes(parts: readonly string[]): readonly string[] {
  const first = parts.findIndex((part) => part !== '');
  return first < 0 ? [''] : parts.slice(first, parts.findLastIndex((part) => part !== '') + 1);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest('the path of the request is not properly encoded');
  }
}
