import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { ping } from './ping.ts';

it('asks nothing of a library that looks otherwise', () => {
  for (const shape of [{ _callbacks: undefined }, { _protocol: undefined }, { _protocol: { ping: 1 } }]) {
    const client = Object.assign(new ssh2.Client(), { _callbacks: [], _protocol: { ping: () => undefined } }, shape);
    expect(ping(client, () => undefined)).toBe(false);
  }
});
