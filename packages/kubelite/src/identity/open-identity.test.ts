import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openIdentity } from './open-identity.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubelite-identity-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the identity is made once, for its owner only, and found again', async () => {
  const first = await openIdentity(join(folder, 'a'), ['127.0.0.1', 'localhost'], NOW);
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'a', 'identity.json')).mode & 0o777).toBe(0o600);
  expect(await openIdentity(join(folder, 'a'), ['127.0.0.1'], NOW)).toEqual(first);
  const ca = new X509Certificate(first.ca.certificate);
  for (const { certificate } of [first.serving, first.admin, first.cloudcore])
    expect(new X509Certificate(certificate).verify(ca.publicKey)).toBe(true);
  expect(new X509Certificate(first.admin.certificate).subject).toContain('O=system:masters');
});

test('a new name or a near end makes new certificates under the same CA', async () => {
  const first = await openIdentity(folder, ['127.0.0.1'], NOW);
  const named = await openIdentity(folder, ['127.0.0.1', 'api.example'], NOW);
  expect(named.ca).toEqual(first.ca);
  expect(new X509Certificate(named.serving.certificate).checkHost('api.example')).toBe('api.example');
  const later = await openIdentity(folder, ['127.0.0.1'], new Date('2027-11-01T00:00:00Z'));
  expect(later.ca).toEqual(first.ca);
  expect(later.serving).not.toEqual(named.serving);
});

test('a damaged file is refused without quoting it', async () => {
  writeFileSync(join(folder, 'identity.json'), '{"ca":{"key":"SECRET"');
  const failure = await openIdentity(folder, [], NOW).catch((error: unknown) => error);
  expect(String(failure)).toContain('Cannot read the keys');
  expect(JSON.stringify(failure)).not.toContain('SECRET');
});
