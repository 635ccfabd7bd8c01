import ssh2, { type Client } from 'ssh2';
import { describe, expect, it } from 'vitest';
import { passOverKeys } from './pass-over-keys.ts';

const OTHER_KEYS = 'hostkeys-00@openssh.com';

type Asked = readonly [name: string, wantsReply: boolean];

function clientOf(protocol: unknown): Client {
  return Object.assign(new ssh2.Client(), { _protocol: protocol });
}

/** What the library is told of these requests of the server. */
function toldOf(requests: readonly Asked[]): readonly Asked[] {
  const told: Asked[] = [];
  const handlers = {
    GLOBAL_REQUEST: (_: unknown, name: string, wantsReply: boolean) => void told.push([name, wantsReply]),
  };
  passOverKeys(clientOf({ _handlers: handlers }));
  for (const [name, wantsReply] of requests) handlers.GLOBAL_REQUEST(undefined, name, wantsReply);
  return told;
}

describe('passing over the other keys of a server', () => {
  it('hides them from the library, which would have each of them proved', () => {
    expect(toldOf([[OTHER_KEYS, false]])).toEqual([]);
  });

  it('sends something when they are told, which the server may wait for, and only then', () => {
    const sent: Buffer[] = [];
    const handlers = { GLOBAL_REQUEST: (): void => undefined };
    const write = {
      allocStart: 0,
      alloc: (bytes: number) => Buffer.alloc(bytes),
      finalize: (packet: Buffer) => packet,
    };
    const cipher = { encrypt: (packet: Buffer) => void sent.push(packet) };
    passOverKeys(clientOf({ _handlers: handlers, _packetRW: { write }, _cipher: cipher }));
    const ask: (protocol: unknown, name: string, wantsReply: boolean) => void = handlers.GLOBAL_REQUEST;
    ask(undefined, 'keepalive@openssh.com', true);
    expect(sent).toHaveLength(0);
    ask(undefined, OTHER_KEYS, false);
    expect(sent).toHaveLength(1);
  });

  it('leaves everything else to the library, and whatever wants a reply', () => {
    const requests: readonly Asked[] = [
      ['keepalive@openssh.com', true],
      [OTHER_KEYS, true],
    ];
    expect(toldOf(requests)).toEqual(requests);
  });

  it('changes nothing about a library that looks otherwise', () => {
    for (const protocol of [undefined, {}, { _handlers: {} }, { _handlers: { GLOBAL_REQUEST: 1 } }]) {
      const before = JSON.stringify(protocol);
      passOverKeys(clientOf(protocol));
      expect(JSON.stringify(protocol)).toBe(before);
    }
  });
});
