import type { Client } from 'ssh2';
import { sendNothing } from './send-nothing.ts';

const OTHER_KEYS = 'hostkeys-00@openssh.com';

type Answer = (protocol: unknown, name: string, wantsReply: boolean, data: unknown) => void;

/**
 * After the login OpenSSH's server tells which host keys it has, and the library has it prove each of them with a
 * signature, for somebody who would note them. We do not, and the proof is work for both
 * ends at every login. If the library does not look as it should, nothing is changed.
 */
export function passOverKeys(client: Client): void {
  const handlers: unknown = Reflect.get(Reflect.get(client, '_protocol') ?? {}, '_handlers');
  if (typeof handlers !== 'object' || handlers === null) return;
  const answer: unknown = Reflect.get(handlers, 'GLOBAL_REQUEST');
  if (!isAnswer(answer)) return;
  const passOver: Answer = (protocol, name, wantsReply, data) => {
    if (name !== OTHER_KEYS || wantsReply) answer(protocol, name, wantsReply, data);
    // The server may hold its next packet back until it knows that this one has come, and unasked that takes 40 ms.
    else sendNothing(client);
  };
  Reflect.set(handlers, 'GLOBAL_REQUEST', passOver);
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'function';
}
