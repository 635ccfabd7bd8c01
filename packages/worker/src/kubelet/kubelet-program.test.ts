import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramCommand, WorkerLayout } from '@fenestra/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testWorkerLayout } from '../testing/test-worker.ts';
import { kubeletProgram } from './kubelet-service.ts';

let layout: WorkerLayout;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-kubelet-'));
  const at = (name: string): string => join(folder, name);
  layout = {
    ...testWorkerLayout,
    kubelet: at('kubelet'),
    kubeletConfig: at('config.yaml'),
    flagsFile: at('flags.env'),
  };
  await writeFile(layout.kubelet, '#!/bin/sh\necho "Kubernetes v1.33.4"\n', { mode: 0o755 });
  await writeFile(layout.kubeletConfig, '');
});
afterEach(async () => rm(folder, { recursive: true }));

test('the arguments are those of the flags file as it is at this very start', async () => {
  await writeFile(layout.flagsFile, 'KUBELET_KUBEADM_ARGS="--node-labels=a=b"\n');
  expect((await compose())?.args).toContain('--node-labels=a=b');
  await writeFile(layout.flagsFile, 'KUBELET_KUBEADM_ARGS="--node-labels=c=d --hostname-override=other"\n');
  const { executable, args } = (await compose()) ?? { args: [] };
  expect(executable).toBe(layout.kubelet);
  expect(args).toEqual(expect.arrayContaining(['--node-labels=c=d', '--hostname-override=other']));
  expect(args).not.toContain('--node-labels=a=b');
});

test('a flags file that is not there, or says nothing, leaves the arguments every kubelet has', async () => {
  const plain = (await compose())?.args;
  await writeFile(layout.flagsFile, 'KUBELET_KUBEADM_ARGS=""\n');
  expect((await compose())?.args).toEqual(plain);
  expect(plain).toContain(`--config=${layout.kubeletConfig}`);
});

test('a flags file that is not understood is refused, with its path', async () => {
  await writeFile(layout.flagsFile, 'KUBELET_KUBEADM_ARGS="--a=b\n');
  await expect(compose()).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(layout.flagsFile),
    hint: expect.stringContaining('KUBELET_KUBEADM_ARGS'),
  });
});

test('a kubelet that does not say its version is refused', async () => {
  await writeFile(layout.kubelet, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  await expect(compose()).rejects.toMatchObject({ code: 'RELEASE_INVALID' });
});

test('a machine that has joined no cluster yet has nothing to run', async () => {
  await rm(layout.kubeletConfig);
  expect(await compose()).toBeUndefined();
});

async function compose(): Promise<ProgramCommand | undefined> {
  return kubeletProgram({ layout, os: 'linux' }).compose();
}
