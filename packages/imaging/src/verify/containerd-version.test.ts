import { expect, test } from 'vitest';
import { versionIn } from './gather-state.ts';

test.each([
  ['containerd github.com/containerd/containerd/v2 v2.1.4 75cb2b7193e4e490e9fbdc236c0e811ccaba3376\n', 'v2.1.4'],
  ['containerd github.com/containerd/containerd v1.7.27 05044ec0\r\n', 'v1.7.27'],
  ['containerd github.com/containerd/containerd/v2 2.1.4+unknown \n', undefined],
  ['', undefined],
])('versionIn %j', (answer, version) => {
  expect(versionIn(answer)).toBe(version);
});
