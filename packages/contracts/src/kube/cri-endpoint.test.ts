import { expect, test } from 'vitest';
import { criEndpoint } from './cri-endpoint.ts';

test.each([
  ['linux', 'unix:///run/containerd/containerd.sock', 'unix:///run/containerd/containerd.sock'],
  ['linux', '/run/containerd/containerd.sock', 'unix:///run/containerd/containerd.sock'],
  ['windows', 'npipe:////./pipe/containerd-containerd', 'npipe:////./pipe/containerd-containerd'],
  ['windows', 'npipe://./pipe/containerd-containerd', 'npipe://./pipe/containerd-containerd'],
  ['windows', 'npipe:///pipe/containerd-containerd', 'npipe:///pipe/containerd-containerd'],
  ['windows', '//./pipe/containerd-containerd', 'npipe:////./pipe/containerd-containerd'],
  ['windows', '\\\\.\\pipe\\containerd-containerd', 'npipe:////./pipe/containerd-containerd'],
] as const)('on %s the runtime at %s is %s', (os, text, endpoint) => {
  expect(criEndpoint(text, os)).toBe(endpoint);
});

test.each([
  ['linux', 'npipe:////./pipe/containerd-containerd'],
  ['linux', 'run/containerd.sock'],
  ['linux', ''],
  ['linux', 'tcp://127.0.0.1:1'],
  ['windows', 'unix:///run/containerd/containerd.sock'],
  ['windows', 'C:\\run\\containerd.sock'],
  ['windows', ''],
] as const)('on %s no runtime is at %j', (os, text) => {
  expect(() => criEndpoint(text, os)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
