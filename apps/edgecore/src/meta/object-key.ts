import type { KindNames } from '@fenestra/contracts';

/** Group, version and resource of a kind: enough to address it. */
export type KindAddress = Pick<KindNames, 'group' | 'version' | 'plural'>;

/** The key of an object in table `meta_v2`: `/core/v1/pods/default/web`, `/core/v1/nodes/null/n1`. */
export function objectKey(kind: KindAddress, namespace: string, name: string): string {
  return `/${kind.group || 'core'}/${kind.version}/${kind.plural}/${namespace || 'null'}/${name}`;
}

/** What column `group_version_resource` holds: `/v1, Resource=pods`, `apps/v1, Resource=deployments`. */
export function formatKindAddress({ group, version, plural }: KindAddress): string {
  return `${group}/${version}, Resource=${plural}`;
}

/** Reads what `formatKindAddress` and upstream write; `undefined` for anything else. */
export function parseKindAddress(text: string): KindAddress | undefined {
  const parts = /^([^/]*)\/([^/,]+), Resource=(.+)$/.exec(text);
  const [, group, version, plural] = parts ?? [];
  if (group === undefined || version === undefined || plural === undefined) return undefined;
  return { group, version, plural };
}
