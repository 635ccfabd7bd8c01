import { expect, test } from 'vitest';
import { runtimeSocket } from './runtime-socket.ts';

const nothing = { instanceConfig: undefined, flags: [], annotations: {}, recorded: undefined };
const annotations = { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///annotated' };

test('trap 17: the runtime is known by instance-config without an annotation, and the other way round', () => {
  expect(runtimeSocket({ ...nothing, instanceConfig: 'containerRuntimeEndpoint: "unix:///instance"\n' })).toBe(
    'unix:///instance',
  );
  expect(runtimeSocket({ ...nothing, annotations })).toBe('unix:///annotated');
});

test('what is on the machine counts more than what the cluster has', () => {
  const flags = ['--v=2', '--container-runtime-endpoint=unix:///flag'];
  expect(runtimeSocket({ ...nothing, annotations, flags })).toBe('unix:///flag');
});

test('an instance-config that says nothing is passed over', () => {
  for (const instanceConfig of ['', '{}', ': :', 'containerRuntimeEndpoint: ""']) {
    expect(runtimeSocket({ ...nothing, instanceConfig, annotations })).toBe('unix:///annotated');
  }
});

test('what keadm remembers is the last resort', () => {
  expect(runtimeSocket({ ...nothing, recorded: 'unix:///recorded' })).toBe('unix:///recorded');
  expect(runtimeSocket(nothing)).toBeUndefined();
});
