import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { FileStore } from '@fenestra/platform';
import * as z from 'zod/mini';
import { newPrivateKey } from './certificate-request.ts';
import { isPrivateKey } from './node-identity.ts';
import { readIfThere } from './read-if-there.ts';

/** The key a certificate was asked for with, until the certificate is here. */
export interface PendingKey {
  /** The key for requests by this token, PEM. It is on disk when this returns, and the same for every try. */
  keyFor(token: string): Promise<string>;
  /** Removes the key once the identity that it belongs to was saved. */
  forget(): Promise<void>;
}

const Pending = z.object({ tokenHash: z.string(), key: z.string() });
type Pending = z.infer<typeof Pending>;

/**
 * Keeps the key beside the node's own, in `<key file>.pending`. A cloud may honour a token for one key only, so after
 * an answer that was lost on its way the next try has to come with the same key.
 */
export function pendingKey(keyFile: string, files: FileStore): PendingKey {
  const path = `${keyFile}.pending`;
  const folder = dirname(path);
  return {
    async keyFor(token) {
      const tokenHash = createHash('sha256').update(token).digest('hex');
      const pending = parsePending((await readIfThere(path)) ?? '');
      if (pending?.tokenHash === tokenHash) return pending.key;
      const key = newPrivateKey();
      await files.createFolder(folder);
      await files.replace(path, `${JSON.stringify({ tokenHash, key })}\n`);
      return key;
    },
    forget: async () => files.removeTree(path, folder, new AbortController().signal),
  };
}

function parsePending(text: string): Pending | undefined {
  try {
    const pending = Pending.parse(JSON.parse(text));
    return isPrivateKey(pending.key) ? pending : undefined;
  } catch {
    // Not ours, since ours are put in place whole.
    return undefined;
  }
}
