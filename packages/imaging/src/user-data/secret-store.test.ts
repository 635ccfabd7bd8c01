import { expect, test } from 'vitest';
import { parseSecretStore, STORE_KINDS } from './secret-store.ts';
import { plainRequest } from './testing/requests.ts';
import { scriptOf } from './testing/script-of.ts';

/** The script of a machine that gets its token from a store. */
function scriptWith(store: string, keep = false): string {
  return scriptOf(plainRequest({ token: { kind: 'store', store: parseSecretStore(store, { keep }) } }));
}

/** A store of each kind, and the words that read it and that empty it. */
const STORES = [
  {
    store: 'aws-secrets-manager:win',
    reads: 'Get-SECSecretValue -SecretId $secretName',
    removes: 'Remove-SECSecret -SecretId $secretName -DeleteWithNoRecovery $true',
  },
  {
    store: 'aws-parameter-store:/win',
    reads: 'Get-SSMParameter -Name $secretName',
    removes: 'Remove-SSMParameter -Name $secretName',
  },
  {
    store: 'azure-key-vault:https://nodes.vault.azure.net/win',
    reads: '(Invoke-RestMethod -Headers $headers -Uri "$vault/secrets/$($secretName)?api-version=7.4").value',
    removes: 'Invoke-RestMethod -Method Delete -Headers $headers -Uri "$vault/secrets/$($secretName)?api-version=7.4"',
  },
  {
    store: 'vsphere-guestinfo:guestinfo.win',
    reads: '& $tool "info-get $secretName"',
    removes: '& $tool "info-set $secretName "',
  },
];

test('every kind of store is tried below', () => {
  expect(STORES.map(({ store }) => store.split(':')[0])).toEqual(STORE_KINDS);
});

test.each(STORES)('the token is read from $store and removed once the node is there', ({ store, reads, removes }) => {
  const script = scriptWith(store);
  expect(script).toContain(reads);
  expect(script).toContain(removes);
  expect(script.indexOf("Invoke-Step 'remove-secret'")).toBeGreaterThan(script.indexOf("Invoke-Step 'join'"));
});

test.each(STORES)('the token stays in $store if it is to be kept', ({ store, reads, removes }) => {
  const script = scriptWith(store, true);
  expect(script).toContain(reads);
  expect(script).not.toContain(removes);
  expect(script).not.toContain("'remove-secret'");
});

test.each([
  ['https://nodes.vault.azure.net', 'https://vault.azure.net'],
  ['https://Nodes.Vault.Azure.Net', 'https://vault.azure.net'],
  ['https://nodes.vault.azure.cn', 'https://vault.azure.cn'],
  ['https://nodes.vault.usgovcloudapi.net', 'https://vault.usgovcloudapi.net'],
])('to read %s the machine asks for access to %s', (vault, audience) => {
  const script = scriptWith(`azure-key-vault:${vault}/win`);
  expect(script).toContain(`$vault = '${vault.toLowerCase()}'`);
  expect(script).toContain(`$audience = '${audience}'`);
});

test.each([
  'https://evil.example/w',
  'https://vault.azure.net/w',
  'https://nodes.vault.azure.net.evil.example/w',
  'https://evilvault.azure.net/w',
  'https://a.b.vault.azure.net/w',
  'https://-.vault.azure.net/w',
])('no machine sends its identity to %s', (place) => {
  expect(() => parseSecretStore(`azure-key-vault:${place}`, { keep: false })).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: expect.stringMatching(/^Cannot take "https:.*" for a vault of Azure$/),
      hint: expect.stringContaining('.vault.azure.net'),
    }),
  );
});
