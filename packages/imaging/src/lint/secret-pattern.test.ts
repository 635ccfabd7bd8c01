import { expect, test } from 'vitest';
import { seenSecrets } from './checks/secrets.ts';

test.each([
  'net user Administrator Example-1 /active:yes',
  'net.exe user "the boss" "Example-1" /add',
  "$adminPassword = 'Example-1'",
  '$Passwd="Example-1"',
  'ConvertTo-SecureString -String "Example-1" -AsPlainText -Force',
])('a password is seen in: %s', (text) => {
  expect(seenSecrets(text)).toEqual([{ what: 'a password', offset: 0 }]);
});

test.each([
  'net user Administrator /active:yes',
  'net user Administrator $password',
  'net user Administrator "$password" /add',
  'net user Administrator %PASSWORD%',
  'net user Administrator *',
  'net user',
  '$password = "$(Get-Secret)"',
  '$password = Get-Secret',
  'ConvertTo-SecureString $password -AsPlainText',
  'ConvertTo-SecureString -String "${admin_password}"',
])('none is seen in: %s', (text) => {
  expect(seenSecrets(text)).toEqual([]);
});
