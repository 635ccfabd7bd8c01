import { expect, test } from 'vitest';
import { chooseRuntime } from './choose-runtime.ts';

const containerd = { runtime: 'containerd', endpoint: 'unix:///run/containerd/containerd.sock' } as const;
const crio = { runtime: 'cri-o', endpoint: 'unix:///var/run/crio/crio.sock' } as const;
const docker = { runtime: 'docker', endpoint: 'unix:///var/run/docker.sock' } as const;

test('the runtime that is there is used, and Docker does not count', () => {
  expect(chooseRuntime(undefined, { os: 'linux', runtimes: [docker, crio] })).toBe(crio.endpoint);
});

test('where there is none the usual one is expected', () => {
  expect(chooseRuntime(undefined, { os: 'windows', runtimes: [] })).toBe('npipe:////./pipe/containerd-containerd');
});

test('of several the operator has to choose', () => {
  expect(() => chooseRuntime(undefined, { os: 'linux', runtimes: [containerd, crio] })).toThrow(
    expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('--cri-socket') }),
  );
  expect(chooseRuntime('/run/x.sock', { os: 'linux', runtimes: [containerd, crio] })).toBe('unix:///run/x.sock');
});
