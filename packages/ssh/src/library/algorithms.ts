import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2';

const HOST_KEYS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/**
 * Asks for the key types that are known for the machine before all others, and never for those it was refused with.
 * Everything else is as the library has it.
 */
export function algorithmsFor(knownTypes: readonly string[], refusedTypes: ReadonlySet<string>): Algorithms {
  const allowed = HOST_KEYS.filter((algorithm) => !refusedTypes.has(keyTypeOf(algorithm)));
  const known = allowed.filter((algorithm) => knownTypes.includes(keyTypeOf(algorithm)));
  const others = allowed.filter((algorithm) => !known.includes(algorithm));
  return { serverHostKey: [...known, ...others] };
}

function keyTypeOf(algorithm: ServerHostKeyAlgorithm): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}
