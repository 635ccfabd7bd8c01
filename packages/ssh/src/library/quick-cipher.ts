import { type CipherGCMTypes, createSecretKey } from 'node:crypto';
import type { Client } from 'ssh2';
import { gcmCipher, type GcmStart, type GcmWorkspace } from './gcm-cipher.ts';
import { member } from './member.ts';
import type { Way } from './open-socket.ts';

const ALGORITHMS: readonly CipherGCMTypes[] = ['aes-128-gcm', 'aes-256-gcm'];

/**
 * Gives a client that has just exchanged keys a quicker cipher for what it sends, and for what it reads a key that is made
 * once and not for each packet. The library has no place for them, so they are put where its own ones are; if those do
 * not look as they should, nothing is changed.
 */
export function quickenCipher(client: Client, way: Way, workspace: GcmWorkspace): void {
  const protocol = member(client, '_protocol');
  keepKey(member(protocol, '_decipher'));
  const own = member(protocol, '_cipher');
  if (typeof protocol !== 'object' || protocol === null) return;
  const algorithm = ALGORITHMS.find((name) => name === member(own, '_encSSLName'));
  const key = member(own, '_encKey');
  const iv = member(own, '_encIV');
  const sequence = member(own, 'outSeqno');
  if (algorithm === undefined || !Buffer.isBuffer(key) || !Buffer.isBuffer(iv)) return;
  if (typeof sequence !== 'number') return;
  const quick = gcmCipher({ algorithm, key, iv, sequence, workspace, write: together(way) });
  Reflect.set(protocol, '_cipher', quick);
}

function keepKey(decipher: unknown): void {
  const key = member(decipher, '_decipherKey');
  const isGcm = ALGORITHMS.some((name) => name === member(decipher, '_decipherSSLName'));
  if (isGcm && Buffer.isBuffer(key) && typeof decipher === 'object' && decipher !== null)
    Reflect.set(decipher, '_decipherKey', createSecretKey(key));
}

/** All that is written in one go is given to the system in one call: each packet comes in pieces, most of them tiny. */
function together(way: Way): GcmStart['write'] {
  let isHeld = false;
  const letGo = (): void => {
    isHeld = false;
    way.uncork();
  };
  return (bytes, sent) => {
    if (!way.writable) return;
    if (!isHeld) {
      isHeld = true;
      way.cork();
      process.nextTick(letGo);
    }
    way.write(bytes, sent);
  };
}
