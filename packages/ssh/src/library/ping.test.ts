import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { ping } from './ping.ts';

it('waits for its turn: answers come in the order of the questions', () => {
  const told: string[] = [];
  const callbacks = [() => told.push('before')];
  const client = Object.assign(new ssh2.Client(), { _callbacks: callbacks, _protocol: { ping: () => undefined } });
  expect(ping(client, () => told.push('ping'))).toBe(true);
  callbacks.push(() => told.push('after'));
  for (const answered of callbacks) answered();
  expect(told).toEqual(['before', 'ping', 'after']);
});

it('asks nothing of a library that looks otherwise', () => {
  for (const shape of [{ _callbacks: undefined }, { _protocol: undefined }, { _protocol: { ping: 1 } }]) {
    const client = Object.assign(new ssh2.Client(), { _callbacks: [], _protocol: { ping: () => undefined } }, shape);
    expect(ping(client, () => undefined)).toBe(false);
  }
});
