import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgecoreDefaults } from '@fenestra/contracts';
import { linuxHost } from '@fenestra/platform-linux';
import { expect, test } from 'vitest';
import { machineReader, readRuntimeVersion } from './machine.ts';
import { nodeSettings } from './node-settings.ts';

const { signal } = new AbortController();
const defaults = edgecoreDefaults('linux', { hostName: 'n1', cloudAddress: '127.0.0.1' });
const settings = { ...nodeSettings(defaults), address: '192.0.2.1', rootDirectory: tmpdir() };

test('the configured runtime is asked for its version, and again after five minutes', async () => {
  const asked: string[] = [];
  let time = 0;
  const readRuntime = async (endpoint: string): Promise<string> => {
    asked.push(endpoint);
    return `containerd://1.7.${asked.length}`;
  };
  const read = machineReader(linuxHost(), () => new Date(time), readRuntime);
  expect((await read(settings, signal)).runtime).toBe('containerd://1.7.1');
  time += 4 * 60_000;
  expect((await read(settings, signal)).runtime).toBe('containerd://1.7.1');
  time += 2 * 60_000;
  expect((await read(settings, signal)).runtime).toBe('containerd://1.7.2');
  expect(new Set(asked)).toEqual(new Set([defaults.modules.edged.tailoredKubeletConfig.containerRuntimeEndpoint]));
});

test('a runtime that did not answer is asked again after ten seconds', async () => {
  const answers = [undefined, 'containerd://1.7.1'];
  let time = 0;
  const read = machineReader(
    linuxHost(),
    () => new Date(time),
    async () => answers.shift(),
  );
  expect((await read(settings, signal)).runtime).toBeUndefined();
  time += 9_000;
  expect((await read(settings, signal)).runtime).toBeUndefined();
  time += 2_000;
  expect((await read(settings, signal)).runtime).toBe('containerd://1.7.1');
});

test('a runtime that is not there has no version', async () => {
  await expect(readRuntimeVersion(`unix://${join(tmpdir(), 'no-runtime.sock')}`, signal)).resolves.toBeUndefined();
});
