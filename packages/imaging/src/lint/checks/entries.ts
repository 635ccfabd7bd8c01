import type { Entry } from '../../cloudbase/cloud-config/entry.ts';
import { found, type Verdict } from '../finding.ts';

/** The member of a mapping with this key; of two alike the last. */
export function memberOf({ members }: Entry, key: string): Entry | undefined {
  return members.findLast((member) => member.key === key);
}

/** Whether a value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a value is a mapping. */
export function isMapping(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Date) && !(value instanceof Uint8Array);
}

/** A key that fails because its value is of another form. */
export function wrongType({ key, line, path }: Entry, wanted: string): Verdict {
  return {
    findings: [found('value-type', { line, path }, `"${key}" must be ${wanted}`)],
    outcomes: [{ line, subject: key, fate: 'fails', effect: `fails: it must be ${wanted}` }],
  };
}
