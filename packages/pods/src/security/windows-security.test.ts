import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { hostProcessProblem, windowsSecurity, windowsSecurityProblem } from './windows-security.ts';

test('on Windows the container overrides the user of its pod', () => {
  const pod = samplePod({ securityContext: { windowsOptions: { runAsUserName: 'A', gmsaCredentialSpec: '{}' } } });
  expect(windowsSecurity(pod, { windowsOptions: { runAsUserName: 'B' } })).toEqual({
    runAsUsername: 'B',
    credentialSpec: '{}',
    hostProcess: false,
  });
});

test('HostProcess is for all containers of a pod on the network of the host', () => {
  const host = { windowsOptions: { hostProcess: true } };
  expect(hostProcessProblem(samplePod({ securityContext: host, hostNetwork: true }))).toBeUndefined();
  expect(hostProcessProblem(samplePod({ securityContext: host }))).toContain('hostNetwork');
  const containers = [
    { name: 'a', image: 'a', securityContext: host },
    { name: 'b', image: 'b' },
  ];
  expect(hostProcessProblem(samplePod({ containers, hostNetwork: true }))).toContain('or none');
  expect(hostProcessProblem(samplePod())).toBeUndefined();
});

const ADMINISTRATOR = { windowsOptions: { runAsUserName: 'containerADMINISTRATOR' } };
const USER = { windowsOptions: { runAsUserName: 'ContainerUser' } };
const REFUSED = 'will be regarded as root identity';

test.each<[JsonObject, JsonObject, string | undefined, string | undefined]>([
  [{}, {}, 'ContainerAdministrator', undefined],
  [{ runAsNonRoot: true }, {}, 'ContainerAdministrator', REFUSED],
  [{ runAsNonRoot: true }, {}, 'ContainerUser', undefined],
  [{ runAsNonRoot: true }, {}, undefined, undefined],
  [{}, { runAsNonRoot: true, ...ADMINISTRATOR }, 'ContainerUser', REFUSED],
  [{ runAsNonRoot: true, ...USER }, ADMINISTRATOR, 'ContainerAdministrator', undefined],
  [{ runAsNonRoot: false }, { runAsNonRoot: true }, 'ContainerAdministrator', undefined],
])(
  'on Windows a container with %j in a pod with %j and an image with the user %s: %s',
  (own, shared, user, problem) => {
    const pod = samplePod({
      containers: [{ name: 'main', image: 'a', securityContext: own }],
      securityContext: shared,
    });
    const [main] = pod.spec.containers;
    const found = main && windowsSecurityProblem(pod, main, user === undefined ? {} : { username: user });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  },
);
