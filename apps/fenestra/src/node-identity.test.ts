import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPlatform } from '#platform';
import { runKeadm } from '@fenestra/keadm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environmentInMemory } from '@fenestra/keadm/testing/keadm-in-memory';
import { NODE_CERTIFICATE } from '@fenestra/lifecycle/testing/node-certificate';

const folder = mkdtempSync(join(tmpdir(), 'identity-'));
const config = join(folder, 'etc/kubeedge/config/edgecore.yaml');
const certificate = join(folder, 'etc/kubeedge/certs/server.crt');

beforeAll(() => {
  for (const path of ['config', 'certs']) mkdirSync(join(folder, 'etc/kubeedge', path), { recursive: true });
  writeFileSync(config, 'modules: {edged: {hostnameOverride: other-node, nonsense: [}}\n');
  writeFileSync(certificate, NODE_CERTIFICATE);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function keadm(...args: readonly string[]): Promise<unknown> {
  let out = '';
  const terminal = { out: (text: string) => void (out += text), err: () => {} };
  const environment = { ...environmentInMemory(terminal), loadPlatform: openPlatform };
  await runKeadm([...args, '--root', folder, '-o', 'json'], environment);
  return JSON.parse(out);
}

test('with a broken configuration, status and reset name the node by its certificate', async () => {
  expect(await keadm('status')).toMatchObject({ node: { name: 'press-7', certificateExpires: expect.any(String) } });
  expect(await keadm('reset', '--dry-run')).toMatchObject({ node: 'press-7' });
});

test('a certificate that is damaged or cannot be read is not said to be missing', async () => {
  writeFileSync(certificate, 'damaged');
  expect(await keadm('status')).toMatchObject({
    node: { certificateProblem: `"${certificate}" is not a certificate` },
  });
  rmSync(certificate);
  mkdirSync(certificate);
  expect(await keadm('status')).toMatchObject({ node: { certificateProblem: expect.stringContaining('EISDIR') } });
  rmdirSync(certificate);
  writeFileSync(certificate, NODE_CERTIFICATE);
});

test('where nothing tells the name, reset names no node', async () => {
  rmSync(certificate);
  expect(await keadm('reset', '--dry-run')).toMatchObject({ node: null });
});
