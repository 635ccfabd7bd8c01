import { expect, test } from 'vitest';
import { publishedPlaces } from './published-places.ts';

test('publishedPlaces looks where Kubernetes publishes first, and for the bare program last', () => {
  expect(publishedPlaces('kubelet', 'v1.33.1', { os: 'linux', arch: 'x64' })).toEqual([
    'v1.33.1/bin/linux/amd64/kubelet',
    'bin/linux/amd64/kubelet',
    'v1.33.1/kubelet',
    'kubelet',
  ]);
});

test('publishedPlaces has the endings of Windows', () => {
  const places = publishedPlaces('kube-proxy', 'v1.33.1', { os: 'windows', arch: 'arm64' });
  expect(places[1]).toBe('bin/windows/arm64/kube-proxy.exe');
  expect(places.at(-1)).toBe('kube-proxy.exe');
});
