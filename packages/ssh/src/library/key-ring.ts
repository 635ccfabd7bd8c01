import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { systemCodeOf } from '@fenestra/kernel';
import ssh2, { type ParsedKey } from 'ssh2';

/** Private keys, each of which is read once. */
export interface KeyRing {
  /** The key, or why there is none: completes `key "x" …`. */
  read(path: string, passphrase: string | undefined): Promise<ParsedKey | string>;
}

/**
 * Remembers the keys that could be read. To open one with a passphrase takes a third of a second, on purpose, in which
 * nothing else goes on here: for a thousand machines that would be minutes.
 */
export function keyRing(): KeyRing {
  const known = new Map<string, Promise<ParsedKey | string>>();
  return {
    async read(path, passphrase) {
      const name = JSON.stringify([path, passphrase]);
      const reading = known.get(name) ?? readKeyFile(path, passphrase);
      known.set(name, reading);
      const key = await reading;
      // The next who asks may find it mended.
      if (typeof key === 'string') known.delete(name);
      return key;
    },
  };
}

async function readKeyFile(path: string, passphrase: string | undefined): Promise<ParsedKey | string> {
  try {
    return readKey(await readFile(path, 'utf8'), passphrase);
  } catch (error) {
    return `cannot be read (${systemCodeOf(error)})`;
  }
}

function readKey(text: string, passphrase: string | undefined): ParsedKey | string {
  const key = ssh2.utils.parseKey(text, passphrase);
  if (!(key instanceof Error)) return key.isPrivateKey() ? key : 'is a public key, not a private one';
  if (/no passphrase/i.test(key.message) || (passphrase === undefined && /encrypted/i.test(text.slice(0, 200))))
    return 'needs a passphrase, and none is given';
  if (/integrity|passphrase/i.test(key.message)) return 'has another passphrase';
  return readPkcs8(text, passphrase);
}

/** The library does not know the format that OpenSSL writes by default; Node does. */
function readPkcs8(text: string, passphrase: string | undefined): ParsedKey | string {
  try {
    const key = createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) });
    const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1';
    const parsed = ssh2.utils.parseKey(key.export({ format: 'pem', type }));
    return parsed instanceof Error ? 'is in a format that is not known' : parsed;
  } catch {
    return passphrase === undefined ? 'is in a format that is not known' : 'cannot be opened with its passphrase';
  }
}
