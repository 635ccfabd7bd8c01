import { expect, test } from 'vitest';
import { parseKubernetesVersion, pauseImage } from '@fenestra/contracts/kube';
import { judgeSkew, versionTraits } from '../version-traits.ts';

test.each([
  ['1.33.1', 'v1.33.1'],
  ['v1.34.0-rc.1', 'v1.34.0-rc.1'],
  [' v1.33.1+k3s1\n', 'v1.33.1+k3s1'],
])('%j is the version %s', (text, tag) => {
  expect(parseKubernetesVersion(text)).toMatchObject({ text: tag, major: 1 });
});

test.each(['', 'v1', '1.33', 'stable', '1.33.1;rm', 'Kubernetes v1.33.1'])('%j is not a version', (text) => {
  expect(() => parseKubernetesVersion(text)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

test.each([
  ['1.33.9', '1.33.0', 'fits'],
  ['1.30.0', '1.33.0', 'fits'],
  ['1.29.9', '1.33.0', 'too-old'],
  ['1.22.0', '1.24.0', 'fits'],
  ['1.22.0', '1.25.0', 'too-old'],
  ['1.34.0-rc.1', '1.33.9', 'too-new'],
  ['2.0.0', '1.99.0', 'too-new'],
])('kubelet %s with API server %s: %s', (kubelet, apiServer, state) => {
  expect(judgeSkew({ kubelet, apiServer })).toMatchObject({ state });
});

test('the verdict names both versions', () => {
  expect(judgeSkew({ kubelet: '1.20.0', apiServer: 'v1.33.0' })).toEqual({
    state: 'too-old',
    reason: 'kubelet v1.20.0 is more than 2 minor versions older than API server v1.33.0',
  });
});

test.each([
  ['1.20.2', 'pause:3.2'],
  ['1.25.0', 'pause:3.8'],
  ['1.30.14', 'pause:3.9'],
  ['1.33.13', 'pause:3.10'],
  ['1.36.0', 'pause:3.10.2'],
])('kubeadm %s takes %s', (version, image) => {
  expect(pauseImage(version, 'registry.example/k8s/')).toBe(`registry.example/k8s/${image}`);
});

test("the kubelet's configuration is where the version keeps it", () => {
  expect(versionTraits('1.20.2').kubeletConfigMaps).toEqual(['kubelet-config-1.20', 'kubelet-config']);
  expect(versionTraits('1.23.0').kubeletConfigMaps).toEqual(['kubelet-config', 'kubelet-config-1.23']);
  expect(versionTraits('1.33.0').kubeletConfigMaps).toEqual(['kubelet-config']);
});
