import type { Algorithms, CipherAlgorithm, KexAlgorithm, ServerHostKeyAlgorithm } from 'ssh2';

/** The quickest ones first, all of them beyond doubt. */
const CIPHERS: CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
];

/** All that the library knows; a login costs OpenSSH's server least with the first one. */
const KEY_EXCHANGES: KexAlgorithm[] = [
  'ecdh-sha2-nistp256',
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group14-sha256',
  'diffie-hellman-group15-sha512',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group17-sha512',
  'diffie-hellman-group18-sha512',
];

const HOST_KEYS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/** Asks for the key types that are known for the machine before all others, and never for those it was refused with. */
export function algorithmsFor(knownTypes: readonly string[], refusedTypes: ReadonlySet<string>): Algorithms {
  const allowed = HOST_KEYS.filter((algorithm) => !refusedTypes.has(keyTypeOf(algorithm)));
  const known = allowed.filter((algorithm) => knownTypes.includes(keyTypeOf(algorithm)));
  const others = allowed.filter((algorithm) => !known.includes(algorithm));
  // Compression by SSH itself makes a push ten times slower.
  return { kex: KEY_EXCHANGES, cipher: CIPHERS, compress: ['none'], serverHostKey: [...known, ...others] };
}

function keyTypeOf(algorithm: ServerHostKeyAlgorithm): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}
