import { expect, test } from 'vitest';
import { secretsIn } from './left-behind.ts';

test.each([
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA'],
  ['the key of a kubeconfig', 'users:\n- user:\n    client-key-data: AAAA\n'],
  ['the token of a kubeconfig', 'users:\n- user:\n    token: abcdef\n'],
  ['a bootstrap token', 'kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef'],
  ['a join token', `${'a'.repeat(64)}.eyJhbGciOiJIUzI1NiJ9.e30.x`],
  [
    'the password of an answer file',
    '<UserAccounts><AdministratorPassword><Value>hunter2</Value></AdministratorPassword></UserAccounts>',
  ],
])('secretsIn finds %s', (kind, text) => {
  expect(secretsIn(text)).toEqual([kind]);
});

test.each([
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----',
  '<AdministratorPassword>*SENSITIVE*DATA*DELETED*</AdministratorPassword>',
  '<Password><Value>*SENSITIVE*DATA*DELETED*</Value></Password>',
  'inject_user_password=true\nuser_password_length=64',
  "sandbox_image = 'registry.k8s.io/pause:3.10'",
])('secretsIn leaves alone what is not a secret: %j', (text) => {
  expect(secretsIn(text)).toEqual([]);
});
