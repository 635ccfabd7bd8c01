import { isIPv6 } from 'node:net';
import type { JumpSettings } from '../file/ssh-schema.ts';
import { portOf } from './imported.ts';

/** A machine on the way as ssh takes it, `user@host:port`; undefined if it is not written so. */
export function jumpHost(written: string): (JumpSettings & { readonly ip: string }) | undefined {
  if (isIPv6(written)) return { ip: written };
  const [, username, ip, port] = /^(?:([^@\s]+)@)?(\[[^\]]+\]|[^:@[\]\s]+)(?::(\d+))?$/.exec(written) ?? [];
  const number = portOf(port ?? '');
  if (ip === undefined || (port !== undefined && number === undefined)) return undefined;
  return { ip, ...(username === undefined ? {} : { username }), ...(number === undefined ? {} : { port: number }) };
}
