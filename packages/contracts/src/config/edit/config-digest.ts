import { createHash } from 'node:crypto';

/** The digest by which an agent and its administrator speak of a configuration text, in lower-case hexadecimal. */
export function configDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
