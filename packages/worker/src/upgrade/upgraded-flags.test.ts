import { parseFlagsEnv } from '@fenestra/contracts/kube';
import { expect, test } from 'vitest';
import { upgradedFlags } from './upgraded-flags.ts';

const criSocket = 'unix:///run/containerd/containerd.sock';
const flags = [
  `--container-runtime-endpoint=${criSocket}`,
  '--pod-infra-container-image=registry.k8s.io/pause:3.10',
  '--node-labels=zone=north',
];
const upgraded = (version: string, given = flags) =>
  parseFlagsEnv(upgradedFlags({ flags: given, version, featureGates: {}, criSocket }));

test('a version that knows all flags keeps them', () => {
  expect(upgraded('v1.33.2')).toEqual(flags);
});

test('from 1.34 on the runtime is no flag, and from 1.35 on the pause image neither', () => {
  expect(upgraded('v1.34.0')).toEqual(flags.slice(1));
  expect(upgraded('v1.35.0')).toEqual(['--node-labels=zone=north']);
});

test('going back, the runtime is a flag again', () => {
  expect(upgraded('v1.33.0', ['--v=2'])).toEqual([`--container-runtime-endpoint=${criSocket}`, '--v=2']);
});
