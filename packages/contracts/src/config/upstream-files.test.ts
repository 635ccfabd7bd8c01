import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloudcoreDefaults } from './cloudcore/load.ts';
import { loadCloudcoreConfig } from './cloudcore/load.ts';
import { defaultCloudcoreYaml, minimalCloudcoreYaml } from './cloudcore/load.ts';
import { edgecoreDefaults } from './edgecore/load.ts';
import { loadEdgecoreConfig } from './edgecore/load.ts';
import { defaultEdgecoreYaml, minimalEdgecoreYaml } from './edgecore/load.ts';

const SYSTEMS = ['linux', 'windows'] as const;
const host = { hostName: 'Edge-1', cloudAddress: '192.0.2.7' };
const cloud = { addresses: ['192.0.2.7'] };
const fixture = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');

test.each(SYSTEMS)("upstream's --defaultconfig on %s is read unchanged, and is our default too", (os) => {
  const { config } = loadEdgecoreConfig(fixture(`edgecore-default-${os}.yaml`), 'edgecore.yaml', os);
  expect(config).toEqual(edgecoreDefaults(os, host));
});

test("upstream's --minconfig of edgecore is read, with a note on what it switches off", () => {
  const { config, notes } = loadEdgecoreConfig(fixture('edgecore-minimal-linux.yaml'), 'edgecore.yaml', 'linux', host);
  expect(config.modules.edgeHub).toEqual({ ...edgecoreDefaults('linux', host).modules.edgeHub, enable: false });
  expect(notes.map(({ path }) => path)).toEqual(['modules.edgeHub.enable']);
});

test("upstream's --defaultconfig of cloudcore is read unchanged, and is our default too", () => {
  const { config } = loadCloudcoreConfig(fixture('cloudcore-default.yaml'), 'cloudcore.yaml');
  expect(config).toEqual(cloudcoreDefaults(cloud));
});

test("upstream's --minconfig of cloudcore is read, with a note on what it switches off", () => {
  const { config, notes } = loadCloudcoreConfig(fixture('cloudcore-minimal.yaml'), 'cloudcore.yaml');
  expect(config.modules.cloudHub).toMatchObject({ enable: false, nodeLimit: 1000, advertiseAddress: ['192.0.2.7'] });
  expect(notes.map(({ path }) => path)).toContain('modules.cloudHub.enable');
});

test("the version of upstream's Helm chart is read too", () => {
  const text = 'apiVersion: cloudcore.config.kubeedge.io/v1alpha2\nkind: CloudCore';
  expect(loadCloudcoreConfig(text, 'cloudcore.yaml').config).toMatchObject({ kind: 'CloudCore' });
});

test.each(SYSTEMS)('our own default and minimal files of %s change nothing', (os) => {
  for (const text of [defaultEdgecoreYaml(os, host), minimalEdgecoreYaml(os, host)]) {
    expect(loadEdgecoreConfig(text, 'edgecore.yaml', os, host).config).toEqual(edgecoreDefaults(os, host));
  }
  for (const text of [defaultCloudcoreYaml(cloud), minimalCloudcoreYaml(cloud)]) {
    expect(loadCloudcoreConfig(text, 'cloudcore.yaml').config).toEqual(cloudcoreDefaults(cloud));
  }
});

test('our own minimal files have no note', () => {
  expect(loadEdgecoreConfig(minimalEdgecoreYaml('windows'), 'edgecore.yaml', 'windows').notes).toEqual([]);
  expect(loadCloudcoreConfig(minimalCloudcoreYaml(), 'cloudcore.yaml').notes).toEqual([]);
});

test('an IPv6 cloud is written in brackets', () => {
  expect(edgecoreDefaults('linux', { hostName: '', cloudAddress: '2001:db8::1' }).modules.edgeHub).toMatchObject({
    httpServer: 'https://[2001:db8::1]:10002',
    websocket: { server: '[2001:db8::1]:10000' },
  });
});
