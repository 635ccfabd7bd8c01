import type { Json } from '@fenestra/kernel';
import { isJsonObject } from '@fenestra/kube-api';

/** Whether everything that is wanted is there. What the server has added on its own is no difference. */
export function isAsWanted(wanted: Json, present: Json | undefined): boolean {
  if (isList(wanted)) {
    const there = isList(present) ? present : [];
    return wanted.length === there.length && wanted.every((item, index) => isAsWanted(item, there[index]));
  }
  if (!isJsonObject(wanted)) return wanted === present;
  return isJsonObject(present) && Object.entries(wanted).every(([key, value]) => isAsWanted(value, present[key]));
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
