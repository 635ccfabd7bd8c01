import { isDeepStrictEqual } from 'node:util';
import type { EdgecoreConfig } from '../edgecore/schema.ts';
import { isMapping, type Mapping } from '../reading/overlay.ts';
import { joinPath } from '../reading/schema-shape.ts';
import { redactConfig } from './secret-fields.ts';

/** A setting that differs between two configurations, fit to be shown. `undefined` is a setting that is not there. */
export interface ConfigChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Every setting that differs, in the order of the file. A list is one setting. */
export function diffConfig(before: EdgecoreConfig, after: EdgecoreConfig): readonly ConfigChange[] {
  return differences(before, after, '').map((change) => ({
    path: change.path,
    before: redactConfig(change.before, change.path),
    after: redactConfig(change.after, change.path),
  }));
}

function differences(before: unknown, after: unknown, path: string): readonly ConfigChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isMapping(before) && !isMapping(after)) return [{ path, before, after }];
  const fields = [before, after].map((side): Mapping => (isMapping(side) ? side : {}));
  const keys = new Set(fields.flatMap(Object.keys));
  return [...keys].flatMap((key) => differences(fields[0]?.[key], fields[1]?.[key], joinPath(path, key)));
}
