import { isDeepStrictEqual } from 'node:util';
import type { CloudcoreConfig } from '@fenestra/contracts';

/** What a running cloud takes up by itself; everything else waits for a restart. */
const RELOADABLE: readonly string[] = [
  'modules.cloudHub.keepaliveInterval',
  'modules.cloudHub.nodeLimit',
  'modules.cloudHub.advertiseAddress',
  'modules.cloudHub.dnsNames',
  'modules.cloudHub.edgeCertSigningDuration',
  'modules.cloudHub.tokenRefreshDuration',
];

/** The settings that differ between two configurations but take effect only after a restart. */
export function restartNeeded(before: CloudcoreConfig, after: CloudcoreConfig): readonly string[] {
  return differences(before, after, '').filter((path) => !RELOADABLE.includes(path));
}

function differences(before: unknown, after: unknown, path: string): readonly string[] {
  if (!isMapping(before) || !isMapping(after)) return isDeepStrictEqual(before, after) ? [] : [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differences(before[key], after[key], path === '' ? key : `${path}.${key}`));
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
