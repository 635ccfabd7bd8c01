import { relative } from 'node:path';

/** Whether two paths are the same to the system this runs on. */
export function isSamePath(one: string, other: string): boolean {
  return relative(one, other) === '';
}
