import { expect, test } from 'vitest';
import { readNodePool } from './node-pool-config.ts';

const POOL = `apiVersion: fenestra.dev/v1
kind: WindowsNodePool
name: win
cluster: c
provider: aws
kubernetesVersion: v1.33.1
aws: {instanceType: m5.large, amiId: ami-0123}
`;

test('a small file is enough', () => {
  expect(readNodePool(POOL, 'pool.yaml')).toMatchObject({ name: 'win', provider: 'aws' });
});

test.each([
  [`${POOL}lables: {}\n`, 'pool.yaml:8 lables: unknown key; did you mean "labels"?'],
  [POOL.replace('win', 'Win_1'), 'pool.yaml:3 name: must be at most 63 lower-case letters'],
  [POOL.replace('provider: aws', 'provider: azure'), 'pool.yaml:7 aws: is not used: the provider is "azure"'],
  [POOL.replace('provider: aws', 'provider: azure'), 'azure: is required'],
  [POOL.replace('v1.33.1', '1.33'), 'pool.yaml:6 kubernetesVersion: must be'],
  [`${POOL}labels: {node-role.kubernetes.io/worker: ""}\n`, 'is a label that a node may not set on itself'],
  [`${POOL}kubeletExtraArgs: {register-with-taints: x}\n`, 'would replace the taint of Cluster API'],
  [POOL.replace('v1.33.1', 'v1.33.1 or so'), 'pool.yaml:6 kubernetesVersion: must be'],
  [`${POOL}taints:\n  - {key: os windows, effect: NoSchedule}\n`, 'pool.yaml:9 taints[0].key: is not a label name'],
  [`${POOL}taints:\n  - {key: os, value: 'a=b', effect: NoSchedule}\n`, 'pool.yaml:9 taints[0].value: must be'],
  [
    `${POOL}taints:\n  - {key: os, value: a, effect: NoSchedule}\n  - {key: os, value: b, effect: NoSchedule}\n`,
    'pool.yaml:10 taints[1]: is "os:NoSchedule" once more',
  ],
  [`${POOL}  x\n`, 'pool.yaml:'],
  ['', 'Cannot load "pool.yaml"'],
])('%j is refused with line and field', (text, message) => {
  expect(() => readNodePool(text, 'pool.yaml')).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) }),
  );
});
