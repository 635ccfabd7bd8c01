import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimalEdgecoreYaml } from '@fenestra/contracts';
import { jsonLogger } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { configFile } from './config-file.ts';

const MACHINE = { os: 'linux', edgeHost: { hostName: 'PLANT-7', cloudAddress: '192.0.2.1' } } as const;

function aFile(change: (yaml: string) => string) {
  const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'edgecore.yaml');
  writeFileSync(path, change(minimalEdgecoreYaml('linux', MACHINE.edgeHost)));
  const lines: string[] = [];
  const log = jsonLogger(
    (line) => lines.push(line),
    'info',
    () => new Date(),
  );
  return { file: configFile(path, MACHINE, log), lines };
}

test.each([
  ['hostnameOverride: ""', 'plant-7'],
  ['hostnameOverride: edge-1', 'edge-1'],
])('with %s the node is called %s', async (setting, name) => {
  const { file } = aFile((yaml) => yaml.replace(/hostnameOverride: .*/, setting));
  expect((await file.readExisting()).config.modules.edged.hostnameOverride).toBe(name);
});

test('a note about a setting is said once, in its own words', async () => {
  const { file, lines } = aFile((yaml) => yaml.replace(/^modules:/m, 'modules:\n  dbTest: { enable: true }'));
  await file.read();
  await file.read();
  const notes = lines.filter((line) => line.includes('dbTest'));
  expect(notes).toHaveLength(1);
  expect(notes[0]).not.toContain('has no effect here');
});
