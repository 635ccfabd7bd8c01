import { expect, test } from 'vitest';
import { podReferences } from './pod-references.ts';

const from = (kind: string, name: string) => ({ valueFrom: { [kind]: { name, key: 'k' } } });

test('a pod without a spec needs nothing', () => {
  expect(podReferences({ metadata: { name: 'p' } })).toEqual({ configMaps: [], secrets: [], claims: [] });
});

test('everything a pod needs is found, in init containers too, and once', () => {
  const spec = {
    volumes: [
      { configMap: { name: 'c1' } },
      { secret: { secretName: 's1' } },
      { projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }, { secret: { name: 's2' } }] } },
      { csi: { nodePublishSecretRef: { name: 's3' } } },
      { persistentVolumeClaim: { claimName: 'pvc' } },
    ],
    containers: [{ env: [from('configMapKeyRef', 'c1')], envFrom: [{ configMapRef: { name: 'c2' } }] }],
    initContainers: [{ env: [from('secretKeyRef', 's4')], envFrom: [{ secretRef: { name: 's5' } }] }],
    imagePullSecrets: [{ name: 's6' }, {}],
  };
  expect(podReferences({ metadata: { name: 'p' }, spec })).toEqual({
    configMaps: ['c1', 'kube-root-ca.crt', 'c2'],
    secrets: ['s1', 's2', 's3', 's4', 's5', 's6'],
    claims: ['pvc'],
  });
});
