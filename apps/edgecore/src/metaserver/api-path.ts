import type { KindAddress } from '../meta/kube-object.ts';

/** What a path of the Kubernetes API asks for. */
export type ApiPath =
  | { readonly form: 'health' | 'version' | 'core-versions' | 'groups' | 'unknown' }
  | { readonly form: 'group'; readonly group: string }
  | { readonly form: 'resources'; readonly group: string; readonly version: string }
  | ObjectPath;

/** The path of one object, or without a name of a collection; without a namespace, of all of them. */
export interface ObjectPath {
  readonly form: 'objects';
  readonly kind: KindAddress;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

const HEALTH_PATHS: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz']);
const UNKNOWN: ApiPath = { form: 'unknown' };

/** Takes a decoded path apart. Every path is some form, so nothing is thrown. */
export function parseApiPath(pathname: string): ApiPath {
  const tokens = pathname.split('/').filter((token) => token !== '');
  const [first, second, third, ...rest] = tokens;
  if (first !== undefined && tokens.length === 1 && HEALTH_PATHS.has(first)) return { form: 'health' };
  if (first === 'version' && tokens.length === 1) return { form: 'version' };
  if (first === 'api') return parseVersion('', second, tokens.slice(2), { form: 'core-versions' });
  if (first !== 'apis') return UNKNOWN;
  if (second === undefined) return { form: 'groups' };
  return parseVersion(second, third, rest, { form: 'group', group: second });
}

function parseVersion(
  group: string,
  version: string | undefined,
  rest: readonly string[],
  withoutVersion: ApiPath,
): ApiPath {
  if (version === undefined) return withoutVersion;
  const [first, second, third, ...below] = rest;
  if (first === undefined) return { form: 'resources', group, version };
  const isNamespaced = first === 'namespaces' && second !== undefined && third !== undefined;
  if (!isNamespaced) return objects({ group, version, plural: first }, undefined, rest.slice(1));
  return objects({ group, version, plural: third }, second, below);
}

function objects(kind: KindAddress, namespace: string | undefined, below: readonly string[]): ApiPath {
  const [name, subresource, ...more] = below;
  if (more.length > 0) return UNKNOWN;
  return {
    form: 'objects',
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}
