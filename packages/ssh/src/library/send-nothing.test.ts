import ssh2, { type Client } from 'ssh2';
import { expect, it } from 'vitest';
import { sendNothing } from './send-nothing.ts';

const HEAD = 5;

function clientOf(protocol: object | undefined): Client {
  return Object.assign(new ssh2.Client(), { _protocol: protocol });
}

/** The parts of the library that packets are made with, and what they have sent. */
function parts() {
  const sent: Buffer[] = [];
  const write = {
    allocStart: HEAD,
    alloc: (bytes: number) => Buffer.alloc(HEAD + bytes),
    finalize: (packet: Buffer) => packet,
  };
  return { sent, protocol: { _packetRW: { write }, _cipher: { encrypt: (packet: Buffer) => void sent.push(packet) } } };
}

it('sends a message to be ignored, with an empty text', () => {
  const { sent, protocol } = parts();
  sendNothing(clientOf(protocol));
  expect(sent.map((packet) => [...packet.subarray(HEAD)])).toEqual([[2, 0, 0, 0, 0]]);
});

it('sends nothing while keys are exchanged, nor by a library that looks otherwise', () => {
  const { sent, protocol } = parts();
  const others = [undefined, {}, { ...protocol, _kexinit: Buffer.alloc(0) }, { ...protocol, _packetRW: {} }];
  for (const other of others) sendNothing(clientOf(other));
  sendNothing(clientOf({ ...protocol, _cipher: {} }));
  expect(sent).toEqual([]);
});
