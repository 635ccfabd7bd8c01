import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { EdgecoreConfig } from '../edgecore/schema.ts';
import { isMapping, joinPath, type Mapping } from '../reading/schema-shape.ts';

/** A setting that differs between two configurations, fit to be shown. `undefined` is a setting that is not there. */
export interface ConfigChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Every setting that differs, in the order of the file. A list is one setting. */
export function diffConfig(before: EdgecoreConfig, after: EdgecoreConfig): readonly ConfigChange[] {
  return changedSettings(before, after).map((change) => ({
    path: change.path,
    before: redactConfig(change.before, change.path),
    after: redactConfig(change.after, change.path),
  }));
}

/** The same for files of any kind, secrets and all: never to be shown. */
export function changedSettings(before: unknown, after: unknown, path = ''): readonly ConfigChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isMapping(before) && !isMapping(after)) return [{ path, before, after }];
  const fields = [before, after].map((side): Mapping => (isMapping(side) ? side : {}));
  const keys = new Set(fields.flatMap(Object.keys));
  return [...keys].flatMap((key) => changedSettings(fields[0]?.[key], fields[1]?.[key], joinPath(path, key)));
}

/** What stands in the place of a secret. */
const MASK = '***';

/** The fields of an `edgecore.yaml` that must never be shown. */
const SECRET_FIELDS: readonly string[] = ['modules.edgeHub.token', 'modules.eventBus.mqttPassword'];

/** The same settings fit to be shown: secrets and passwords in addresses are masked. An empty one is not a secret. */
export function redactConfig(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => redactConfig(item, joinPath(path, index)));
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([key, field]) => [key, redactConfig(field, joinPath(path, key))]);
    return Object.fromEntries(fields);
  }
  if (typeof value !== 'string' || value === '') return value;
  return SECRET_FIELDS.includes(path) ? MASK : value.replace(/(:\/\/)[^/@\s]+@/, `$1${MASK}@`);
}

/**
 * What a running agent holds on to: its log and its status lie beside the database, and all it has sent to the cloud was
 * sent under its name. Everything else it takes up by a reload.
 */
const RESTART_KEYS: readonly string[] = ['database.dataSource', 'modules.edged.hostnameOverride'];

/** The changed settings that the running agent cannot take up without a restart. */
export function restartKeys(before: EdgecoreConfig, after: EdgecoreConfig): readonly string[] {
  return diffConfig(before, after)
    .map(({ path }) => path)
    .filter((path) => RESTART_KEYS.includes(path));
}

/** Settings as people read them, with every secret masked. */
export function settingsYaml(settings: unknown): string {
  return stringify(redactConfig(settings), { lineWidth: 0, aliasDuplicateObjects: false });
}
