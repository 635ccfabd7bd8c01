import type { CipherGCMTypes } from 'node:crypto';
import type { Client } from 'ssh2';
import { gcmCipher } from './gcm-cipher.ts';

const ALGORITHMS: readonly CipherGCMTypes[] = ['aes-128-gcm', 'aes-256-gcm'];

/**
 * Gives a client that has just exchanged keys a quicker cipher for what it sends. The library has no place for one, so
 * it is put where its own one is; if that does not look as it should, nothing is changed.
 */
export function quickenCipher(client: Client): void {
  const protocol = member(client, '_protocol');
  const own = member(protocol, '_cipher');
  if (typeof protocol !== 'object' || protocol === null) return;
  const algorithm = ALGORITHMS.find((name) => name === member(own, '_encSSLName'));
  const key = member(own, '_encKey');
  const iv = member(own, '_encIV');
  const sequence = member(own, 'outSeqno');
  const write = member(own, '_onWrite');
  if (algorithm === undefined || !Buffer.isBuffer(key) || !Buffer.isBuffer(iv)) return;
  if (typeof sequence !== 'number' || typeof write !== 'function') return;
  const quick = gcmCipher({ algorithm, key, iv, sequence, write: (bytes) => void write(bytes) });
  Reflect.set(protocol, '_cipher', quick);
}

function member(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}
