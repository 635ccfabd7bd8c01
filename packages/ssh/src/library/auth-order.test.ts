import { expect, test } from 'vitest';
import type { AuthAttempt } from './auth-methods.ts';
import { authOrder } from './auth-order.ts';

const password = attempt('password');
const key = attempt('publickey');

test('each way is tried once, in the given order', () => {
  const order = authOrder([key, password]);
  expect(order.next(undefined, false)).toBe(key);
  expect(order.next(['publickey', 'password'], false)).toBe(password);
  expect(order.next(['publickey', 'password'], false)).toBeUndefined();
  expect(order.tried()).toEqual(['publickey', 'password']);
});

test('a guess that the machine did not ask for is kept for later', () => {
  const order = authOrder([password, key]);
  expect(order.next(undefined, false)).toBe(password);
  expect(order.next(['publickey'], false)).toBe(key);
  expect(order.next(['password'], true)).toBe(password);
  expect(order.tried()).toEqual(['publickey', 'password']);
});

test('a guess that was half of what is wanted is not given again', () => {
  const order = authOrder([key, password]);
  expect(order.next(undefined, false)).toBe(key);
  expect(order.next(['password'], true)).toBe(password);
  expect(order.next(['publickey', 'password'], false)).toBeUndefined();
});

test('what the machine never asks for is told apart', () => {
  const order = authOrder([key, password]);
  order.next(undefined, false);
  expect(order.next(['publickey'], false)).toBeUndefined();
  expect(order.untried()).toEqual(['password']);
  expect(order.offered()).toEqual(['publickey']);
});

function attempt(method: 'password' | 'publickey'): AuthAttempt {
  return { method, label: method, auth: { type: 'none', username: 'me' } };
}
