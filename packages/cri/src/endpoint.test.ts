import { expect, test } from 'vitest';
import { socketPathOf } from './endpoint.ts';

test.each([
  ['unix:///run/containerd/containerd.sock', '/run/containerd/containerd.sock'],
  ['unix:/run/a.sock', '/run/a.sock'],
  ['/run/two words/a.sock', '/run/two words/a.sock'],
  ['npipe:////./pipe/containerd-containerd', '\\\\.\\pipe\\containerd-containerd'],
  ['npipe://./pipe/containerd-containerd', '\\\\.\\pipe\\containerd-containerd'],
  ['npipe:\\\\.\\pipe\\a', '\\\\.\\pipe\\a'],
  ['\\\\.\\pipe\\a', '\\\\.\\pipe\\a'],
])('socketPathOf opens %s', (endpoint, path) => {
  expect(socketPathOf(endpoint)).toBe(path);
});

test.each(['', 'containerd', 'tcp://127.0.0.1:1234', 'https://host/x', 'unix://', 'npipe://host/x', './a.sock'])(
  'socketPathOf refuses "%s"',
  (endpoint) => {
    expect(() => socketPathOf(endpoint)).toThrow(
      expect.objectContaining({ code: 'RUNTIME_UNUSABLE', hint: expect.stringContaining('unix:///run') }),
    );
  },
);
