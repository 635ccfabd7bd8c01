import { runInNewContext } from 'node:vm';
import { type JsonObject, listAt, stringAt } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { policyNotes, policyObjects } from './policies.ts';

const kindsFor = (version: string) => policyObjects(version).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);

test.each([
  ['v1.36.0', 'admissionregistration.k8s.io/v1'],
  ['v1.30.0', 'admissionregistration.k8s.io/v1'],
  ['v1.29.5', 'admissionregistration.k8s.io/v1beta1'],
  ['v1.28.0', 'admissionregistration.k8s.io/v1beta1'],
])('%s has the policy and its binding as %s', (version, api) => {
  expect(kindsFor(version)).toEqual([
    'v1 Namespace',
    `${api} ValidatingAdmissionPolicy`,
    `${api} ValidatingAdmissionPolicyBinding`,
  ]);
});

test('a version without such policies gets the labels, and a note with what is missing', () => {
  expect(kindsFor('v1.27.0')).toEqual(['v1 Namespace']);
  expect(policyNotes('v1.27.0').join(' ')).toContain('v1.27.0 has no ValidatingAdmissionPolicy');
  expect(policyNotes('v1.22.0').join(' ')).toContain('v1.22.0 has no Pod Security admission');
  expect(policyNotes('v1.29.0').join(' ')).toContain('--runtime-config');
});

/**
 * Kubernetes' expression language and JavaScript differ in what these expressions use only in a few names; so they are
 * put into JavaScript and run. No API server that the tests can start knows such policies.
 */
function asJavaScript(expression: string): string {
  return expression
    .replaceAll(/has\(([\w.]+)\)/g, (_, path: string) => `(${path.replaceAll('.', '?.')} !== undefined)`)
    .replaceAll(/\.all\((\w+), /g, '.every(($1) => ')
    .replaceAll('.lowerAscii()', '.toLowerCase()')
    .replaceAll('.replace(', '.replaceAll(')
    .replaceAll(/\.matches\('([^']*)'\)/g, (_, pattern: string) => `.search(new RegExp('${pattern}')) >= 0`)
    .replaceAll(/!each\.hostPath\.path(.*) >= 0/g, '!(each.hostPath.path$1 >= 0)');
}

function isRefused(spec: JsonObject): boolean {
  const policy = policyObjects('v1.30.0').find(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  const expressions = listAt(policy, 'spec', 'validations').map((each) => stringAt(each, 'expression'));
  expect(expressions.length).toBe(5);
  const answers = expressions.map((each): unknown => runInNewContext(asJavaScript(each), { object: { spec } }));
  expect(answers.filter((answer) => typeof answer !== 'boolean')).toEqual([]);
  return answers.includes(false);
}

const plain = { name: 'c', image: 'i' };
const hostProcess = { windowsOptions: { hostProcess: true } };

test.each<readonly [string, JsonObject]>([
  ['nothing special', { containers: [plain] }],
  [
    'a user of Windows',
    { containers: [plain], securityContext: { windowsOptions: { runAsUserName: 'ContainerUser' } } },
  ],
  ['hostProcess: false', { containers: [{ ...plain, securityContext: { windowsOptions: { hostProcess: false } } }] }],
  [
    'other volumes',
    {
      containers: [plain],
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', hostPath: { path: 'C:\\data\\pipe' } },
      ],
    },
  ],
])('a pod with %s is taken', (_, spec) => {
  expect(isRefused(spec)).toBe(false);
});

const hostPath = (path: string): JsonObject => ({ containers: [plain], volumes: [{ name: 'v', hostPath: { path } }] });

test.each<readonly [string, JsonObject]>([
  ['HostProcess for all', { containers: [plain], securityContext: hostProcess }],
  ['a HostProcess container', { containers: [plain, { ...plain, securityContext: hostProcess }] }],
  [
    'a HostProcess init container',
    { containers: [plain], initContainers: [{ ...plain, securityContext: hostProcess }] },
  ],
  ['an ephemeral one', { containers: [plain], ephemeralContainers: [{ ...plain, securityContext: hostProcess }] }],
  ['a pipe', hostPath(String.raw`\\.\pipe\containerd-containerd`)],
  ['a pipe in capitals', hostPath(String.raw`\\.\PIPE\rancher_wins`)],
  ['a pipe with the other slashes', hostPath('//./pipe/docker_engine')],
  ['a pipe by its raw name', hostPath(String.raw`\\?\pipe\x`)],
  ['a pipe by the name of the host', hostPath(String.raw`\\localhost\pipe\x`)],
  ['all pipes', hostPath('//./pipe')],
  ['a pipe by the name of its device', hostPath(String.raw`\\?\GLOBALROOT\Device\NamedPipe\x`)],
])('a pod with %s is refused', (_, spec) => {
  expect(isRefused(spec)).toBe(true);
});

test('the policy is for every namespace that is not allowed to', () => {
  const binding = policyObjects('v1.30.0').find(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
  expect(binding).toMatchObject({
    spec: {
      validationActions: ['Deny', 'Audit'],
      matchResources: {
        namespaceSelector: {
          matchExpressions: [{ key: 'fenestra.dev/windows-host-access', operator: 'NotIn', values: ['allowed'] }],
        },
      },
    },
  });
});
