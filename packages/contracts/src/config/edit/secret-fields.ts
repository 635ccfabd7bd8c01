import { joinPath } from '../reading/schema-shape.ts';
import { isMapping } from '../reading/overlay.ts';

/** What stands in the place of a secret. */
const MASK = '***';

/** The fields of an `edgecore.yaml` that must never be shown. */
const SECRET_FIELDS: readonly string[] = ['modules.edgeHub.token', 'modules.eventBus.mqttPassword'];

/** The same settings fit to be shown: secrets and passwords in addresses are masked. An empty one is no secret. */
export function redactConfig(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => redactConfig(item, joinPath(path, index)));
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([key, field]) => [key, redactConfig(field, joinPath(path, key))]);
    return Object.fromEntries(fields);
  }
  if (typeof value !== 'string' || value === '') return value;
  return SECRET_FIELDS.includes(path) ? MASK : value.replace(/(:\/\/)[^/@\s]+@/, `$1${MASK}@`);
}
