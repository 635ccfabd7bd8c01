import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { containerSecurity, sandboxSecurity, securityProblem, type SecurityFacts } from './container-security.ts';
import type { LinuxContainerSecurity } from './security-shapes.ts';
import { podSysctls, sysctlProblem } from './sysctls.ts';

const facts: SecurityFacts = { seccompFolder: '/var/lib/kubelet/seccomp', seccompDefault: false, imageUser: {} };

function securityOf(
  own: JsonObject,
  shared: JsonObject = {},
  spec: JsonObject = {},
  more: Partial<SecurityFacts> = {},
): LinuxContainerSecurity {
  const containers = [{ name: 'main', image: 'a', securityContext: own }];
  const pod = samplePod({ containers, securityContext: shared, ...spec });
  const [main] = pod.spec.containers;
  if (main === undefined) throw new Error('no container');
  return containerSecurity(pod, main, { ...facts, ...more });
}

function problemOf(
  own: JsonObject,
  shared: JsonObject = {},
  imageUser: SecurityFacts['imageUser'] = {},
): string | undefined {
  const pod = samplePod({ containers: [{ name: 'main', image: 'a', securityContext: own }], securityContext: shared });
  const [main] = pod.spec.containers;
  return main && securityProblem(pod, main, { ...facts, imageUser });
}

test('a plain container has its own processes, masked paths and no seccomp profile', () => {
  const security = securityOf({});
  expect(security).toMatchObject({
    namespaceOptions: { network: 0, pid: 1, ipc: 0, targetId: '' },
    privileged: false,
    noNewPrivs: false,
    readonlyRootfs: false,
    seccomp: { profileType: 1 },
    supplementalGroups: [],
  });
  expect(security.maskedPaths).toContain('/proc/kcore');
  expect(security.readonlyPaths).toContain('/proc/sys');
  expect(security).not.toHaveProperty('runAsUser');
});

test('a container overrides its pod', () => {
  expect(securityOf({ runAsUser: 1 }, { runAsUser: 2, runAsGroup: 3 })).toMatchObject({
    runAsUser: { value: 1n },
    runAsGroup: { value: 3n },
  });
  const localhost = { type: 'Localhost', localhostProfile: 'audit.json' };
  expect(securityOf({ seccompProfile: localhost }, { seccompProfile: { type: 'Unconfined' } }).seccomp).toEqual({
    profileType: 2,
    localhostRef: '/var/lib/kubelet/seccomp/audit.json',
  });
  expect(securityOf({}, {}, {}, { seccompDefault: true }).seccomp.profileType).toBe(0);
});

test('the user of the image counts where the pod names none', () => {
  expect(securityOf({}, {}, {}, { imageUser: { uid: 5 } }).runAsUser).toEqual({ value: 5n });
  expect(securityOf({}, {}, {}, { imageUser: { username: 'app' } }).runAsUsername).toBe('app');
  expect(securityOf({}, { fsGroup: 7, supplementalGroups: [8] }).supplementalGroups).toEqual([7n, 8n]);
});

test('privileges, capabilities and namespaces are passed on', () => {
  expect(
    securityOf({ capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] }, allowPrivilegeEscalation: false }),
  ).toMatchObject({
    capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
    noNewPrivs: true,
  });
  expect(securityOf({ privileged: true })).toMatchObject({ privileged: true, maskedPaths: [] });
  expect(securityOf({ procMount: 'Unmasked' }).readonlyPaths).toEqual([]);
  const host = { hostNetwork: true, hostPID: true, hostIPC: true };
  expect(securityOf({}, {}, host).namespaceOptions).toMatchObject({ network: 2, pid: 2, ipc: 2 });
  expect(securityOf({}, {}, { shareProcessNamespace: true }).namespaceOptions.pid).toBe(0);
  expect(securityOf({}, {}, {}, { targetId: 'x' }).namespaceOptions).toMatchObject({ pid: 3, targetId: 'x' });
});

test('a sandbox is privileged as soon as one container is', () => {
  const privileged = { name: 'main', image: 'a', securityContext: { privileged: true } };
  expect(sandboxSecurity(samplePod({ containers: [privileged] }))).toMatchObject({
    privileged: true,
    seccomp: { profileType: 0 },
  });
  expect(sandboxSecurity(samplePod({ securityContext: { runAsGroup: 5 } }))).not.toHaveProperty('runAsGroup');
});

test.each([
  [{ runAsNonRoot: true }, {}, {}, 'container has runAsNonRoot and image will run as root'],
  [{ runAsNonRoot: true }, {}, { uid: 0 }, 'container has runAsNonRoot and image will run as root'],
  [{ runAsNonRoot: true }, {}, { uid: 5 }, undefined],
  [{}, { runAsNonRoot: true, runAsUser: 0 }, { uid: 5 }, "container's runAsUser breaks non-root policy"],
  [{ runAsUser: 5 }, { runAsNonRoot: true }, {}, undefined],
  [
    { runAsNonRoot: true },
    {},
    { username: 'app' },
    'container has runAsNonRoot and image has non-numeric user (app), cannot verify user is non-root',
  ],
  [{}, {}, { uid: 0 }, undefined],
  [
    { seccompProfile: { type: 'Localhost', localhostProfile: '../x' } },
    {},
    {},
    'the seccomp profile of the machine is not named by a relative path',
  ],
])('a container with %j in a pod with %j and an image with %j: %s', (own, shared, image, problem) => {
  expect(problemOf(own, shared, image)).toBe(problem);
});

test.each([
  ['net.ipv4.tcp_syncookies', {}, [], undefined],
  ['net/ipv4/tcp_syncookies', {}, [], undefined],
  ['net.ipv4.tcp_syncookies', { hostNetwork: true }, [], 'not allowed with host net enabled'],
  ['kernel.shm_rmid_forced', { hostIPC: true }, [], 'not allowed with host ipc enabled'],
  ['net.core.somaxconn', {}, [], 'not allowlisted'],
  ['net.core.somaxconn', {}, ['net.core.*'], undefined],
  ['vm.swappiness', {}, ['vm.swappiness'], 'is not namespaced'],
])('the kernel setting %s with %j and the allowed %j: %s', (name, spec, allowed, problem) => {
  const pod = samplePod({ ...spec, securityContext: { sysctls: [{ name, value: '1' }] } });
  const found = sysctlProblem(pod, allowed);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test('kernel settings are passed with dots', () => {
  const sysctls = [{ name: 'net/ipv4/tcp_syncookies', value: '1' }];
  expect(podSysctls(samplePod({ securityContext: { sysctls } }))).toEqual({ 'net.ipv4.tcp_syncookies': '1' });
});
