import { isMapping } from '../reading/overlay.ts';

/** What is at a dotted path, if anything is. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (isMapping(part) ? part[key] : undefined), value);
}
