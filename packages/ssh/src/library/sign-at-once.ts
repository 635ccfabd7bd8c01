import type { Client } from 'ssh2';

type Sign = (data: Buffer, done: (signature: Buffer) => void) => void;
type Ask = (this: unknown, user: string, key: unknown, algorithm?: string, sign?: Sign) => void;

/**
 * Has a client prove that it has a key at once. The library asks first whether the server would take the key, which costs
 * a round trip for each login, and a signature is cheaper than that. A key that can sign in several ways is still asked
 * about. If the library does not look as it should, nothing is changed.
 */
export function signAtOnce(client: Client): void {
  const protocol: unknown = Reflect.get(client, '_protocol');
  if (typeof protocol !== 'object' || protocol === null) return;
  const ask: unknown = Reflect.get(protocol, 'authPK');
  if (!isAsk(ask)) return;
  Reflect.set(protocol, 'authPK', function (
    this: unknown,
    user: string,
    key: unknown,
    algorithm?: string,
    sign?: Sign,
  ) {
    ask.call(this, user, key, algorithm, sign ?? (algorithm === undefined ? signerOf(key) : undefined));
  } satisfies Ask);
}

function isAsk(value: unknown): value is Ask {
  return typeof value === 'function';
}

const TRIAL = Buffer.from('trial');
/** Keys that have signed the trial; one key is for many machines. */
const able = new WeakSet<PrivateKey>();

/**
 * An agent's key has no private part here, and its agent is asked only if the server would take the key. What becomes of
 * a key that cannot sign, as by a rule of this machine, is left to the library.
 */
function signerOf(key: unknown): Sign | undefined {
  if (!isPrivate(key) || !canSign(key)) return undefined;
  return (data, done) => {
    const signature = key.sign(data);
    if (signature instanceof Error) throw signature;
    done(signature);
  };
}

function canSign(key: PrivateKey): boolean {
  if (!able.has(key) && !(key.sign(TRIAL) instanceof Error)) able.add(key);
  return able.has(key);
}

interface PrivateKey {
  isPrivateKey(): boolean;
  sign(data: Buffer): Buffer | Error;
}

function isPrivate(key: unknown): key is PrivateKey {
  if (typeof key !== 'object' || key === null || !('isPrivateKey' in key) || !('sign' in key)) return false;
  return typeof key.isPrivateKey === 'function' && key.isPrivateKey() === true;
}
