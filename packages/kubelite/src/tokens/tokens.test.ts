import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRealObjects, type RealObjects } from '../kinds/testing/real-objects.ts';
import { SYSTEM_USER } from '../objects/object-service.ts';
import { bootstrapTokenUser, hashToken, readStaticTokens } from './static-tokens.ts';
import { ISSUER } from './service-account-tokens.ts';

const NOW = new Date();
const LATER = new Date(NOW.getTime() + 3_600_000);

let real: RealObjects;

beforeAll(async () => {
  real = await openRealObjects();
});
afterAll(async () => real.close());

async function storeToken(id: string, data: Readonly<Record<string, string>>): Promise<void> {
  const stringData = {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...data,
  };
  const fields = { type: 'bootstrap.kubernetes.io/token', stringData };
  await real.create(real.kinds.secret, `bootstrap-token-${id}`, fields, 'kube-system');
}

describe('a bootstrap token', () => {
  test('makes a bootstrapping user with its extra groups', async () => {
    await storeToken('aaaaaa', {
      expiration: LATER.toISOString(),
      'auth-extra-groups': 'system:bootstrappers:edge,system:masters',
    });
    expect(bootstrapTokenUser('aaaaaa.0123456789abcdef', real.objects, NOW)).toEqual({
      name: 'system:bootstrap:aaaaaa',
      groups: ['system:bootstrappers', 'system:bootstrappers:edge'],
    });
  });

  test.each([
    ['bbbbbb', { expiration: '2020-01-01T00:00:00Z' }],
    ['cccccc', { expiration: 'tomorrow' }],
    ['dddddd', { 'usage-bootstrap-authentication': 'false' }],
    ['eeeeee', { 'token-secret': 'another-secret-x' }],
  ])('is no one when its secret %s says %j', async (id, data) => {
    await storeToken(id, data);
    expect(bootstrapTokenUser(`${id}.0123456789abcdef`, real.objects, NOW)).toBeUndefined();
  });

  test.each(['', 'aaaaaa', 'aaaaaa.0123', '../../.0123456789abcdef'])('of the form "%s" is no one', (token) => {
    expect(bootstrapTokenUser(token, real.objects, NOW)).toBeUndefined();
  });
});

describe('a service account token', () => {
  test('names its account and pod, and holds for its audience and its time', async () => {
    const serviceAccount = await real.create(real.kinds.serviceAccount, 'robot');
    const pod = await real.create(real.kinds.pod, 'p', { spec: { containers: [{ name: 'a', image: 'b' }] } });
    const boundTo = { kind: 'Pod', name: 'p', uid: pod.metadata.uid } as const;
    const token = await real.tokens.sign({ serviceAccount, audiences: [ISSUER], expiresAt: LATER, boundTo }, NOW);
    expect(await real.tokens.verify(token, [ISSUER], real.objects, NOW)).toMatchObject({
      name: 'system:serviceaccount:default:robot',
      uid: serviceAccount.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default'],
      extra: { 'authentication.kubernetes.io/pod-name': ['p'] },
    });
    expect(await real.tokens.verify(token, ['others'], real.objects, NOW)).toBeUndefined();
    expect(await real.tokens.verify(token, [ISSUER], real.objects, new Date(LATER.getTime() + 1000))).toBeUndefined();
    expect(await real.tokens.verify(`${token.slice(0, -4)}AAAA`, [ISSUER], real.objects, NOW)).toBeUndefined();
    await real.objects.delete(real.kinds.pod, { namespace: 'default', name: 'p' }, { user: SYSTEM_USER });
    expect(await real.tokens.verify(token, [ISSUER], real.objects, NOW)).toBeUndefined();
  });

  test('dies with its account, even if another of the same name comes', async () => {
    const serviceAccount = await real.create(real.kinds.serviceAccount, 'short');
    const token = await real.tokens.sign({ serviceAccount, audiences: [ISSUER], expiresAt: LATER }, NOW);
    await real.objects.delete(
      real.kinds.serviceAccount,
      { namespace: 'default', name: 'short' },
      { user: SYSTEM_USER },
    );
    await real.create(real.kinds.serviceAccount, 'short');
    expect(await real.tokens.verify(token, [ISSUER], real.objects, NOW)).toBeUndefined();
  });
});

describe('static tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-tokens-'));
  afterAll(async () => rm(folder, { recursive: true }));

  test('are known by their hash', () => {
    const file = join(folder, 'tokens.json');
    writeFileSync(
      file,
      JSON.stringify({ tokens: [{ sha256: hashToken('secret'), user: 'ci', groups: ['builders'] }] }),
    );
    expect(readStaticTokens(file).find('secret')).toEqual({ name: 'ci', groups: ['builders'] });
    expect(readStaticTokens(file).find('other')).toBeUndefined();
  });

  test('without a file are none, and a broken file is an error that shows nothing of it', () => {
    expect(readStaticTokens(join(folder, 'absent')).find('x')).toBeUndefined();
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"tokens":[{"token":"in plain sight"}]}');
    expect(() => readStaticTokens(file)).toThrow(`Cannot read the tokens in "${file}"`);
  });
});
