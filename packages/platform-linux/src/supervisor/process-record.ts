import type { ProcessIdentity } from '@fenestra/platform';
import { isJsonObject } from './json-file.ts';

/** Understands a process identity that was written as JSON. */
export function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (!isJsonObject(value)) return undefined;
  const { pid, startedAt, bootId } = value;
  if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof bootId !== 'string') return undefined;
  return { pid, startedAt, bootId };
}

/** Whether two identities are of the same process. */
export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt && one.bootId === other.bootId;
}
