import type { Client } from 'ssh2';

/**
 * Has the server answer. The library can do so only for itself, now and then, so what it has for that is used; false if it
 * does not look as it should.
 */
export function ping(client: Client, answered: () => void): boolean {
  const callbacks: unknown = Reflect.get(client, '_callbacks');
  const protocol: unknown = Reflect.get(client, '_protocol');
  if (!Array.isArray(callbacks) || !canPing(protocol)) return false;
  // Answers come in the order of the questions, and have no names.
  callbacks.push(answered);
  protocol.ping();
  return true;
}

function canPing(protocol: unknown): protocol is { ping(): void } {
  return typeof protocol === 'object' && protocol !== null && 'ping' in protocol && typeof protocol.ping === 'function';
}
