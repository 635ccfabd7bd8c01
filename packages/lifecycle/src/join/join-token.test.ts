import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgecoreDefaults, type AgentStatus, type EdgecoreConfig } from '@fenestra/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tokenForKnown, type KnownNode } from './node-identity.ts';
import { CLOUD_CERTIFICATE, CLOUD_KEY } from './testing/cloud-certificate.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${'0'.repeat(64)}.${part({ alg: 'HS256' })}.${part({})}.signature`;
const now = new Date('2030-01-01');
const defaults = edgecoreDefaults('linux');
const silent: KnownNode['node'] = { agent: undefined, agentKind: 'fenestra' };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'));
  for (const name of ['ca', 'certificate']) await writeFile(join(folder, name), CLOUD_CERTIFICATE);
  await writeFile(join(folder, 'key'), CLOUD_KEY);
});

afterAll(async () => rm(folder, { recursive: true }));

/** The configuration of a node whose certificate, valid for a long time, is in the folder. */
function certified(): EdgecoreConfig {
  const files = { tlsCaFile: 'ca', tlsCertFile: 'certificate', tlsPrivateKeyFile: 'key' };
  const paths = Object.fromEntries(Object.entries(files).map(([field, name]) => [field, join(folder, name)]));
  return { ...defaults, modules: { ...defaults.modules, edgeHub: { ...defaults.modules.edgeHub, ...paths } } };
}

function troubled(code: string): KnownNode['node'] {
  const agent: AgentStatus = { version: '1', pid: 1, startedAt: '', reloads: 0, problem: { code, message: '' } };
  return { agent, agentKind: 'fenestra' };
}

test('a node whose cloud refuses its certificate gets a new token, and cannot do without', async () => {
  const known = { node: troubled('CERTIFICATE_REJECTED'), config: certified() };
  expect(await tokenForKnown(known, token, now)).toBe(token);
  await expect(tokenForKnown(known, undefined, now)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
});

test('so does one that has lost its certificate', async () => {
  expect(await tokenForKnown({ node: silent, config: defaults }, token, now)).toBe(token);
  await expect(tokenForKnown({ node: silent, config: defaults }, undefined, now)).rejects.toThrow(/without a token/);
});

test('an agent that does not run gets the token that was given, and needs none', async () => {
  expect(await tokenForKnown({ node: silent, config: certified() }, token, now)).toBe(token);
  expect(await tokenForKnown({ node: silent, config: certified() }, undefined, now)).toBeUndefined();
});

test("a token does not help where the cloud is out of reach, nor upstream's agent", async () => {
  const config = certified();
  expect(await tokenForKnown({ node: troubled('HUB_UNREACHABLE'), config }, token, now)).toBeUndefined();
  expect(await tokenForKnown({ node: { ...silent, agentKind: 'upstream' }, config }, token, now)).toBeUndefined();
});
