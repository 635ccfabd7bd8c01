import type { JsonObject } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { processorMs } from '../../../../tests/processor-time.ts';
import type { Pod } from '../pod/pod.ts';
import { samplePod } from '../testing/sample-pods.ts';
import {
  containerCommand,
  containerEnvironment,
  expandStatic,
  type ContainerEnvironment,
  type EnvironmentFacts,
} from './container-environment.ts';
import { expand } from './expand.ts';
import { configMapData, secretData } from './keyed-data.ts';
import { serviceVariables } from './service-variables.ts';

const facts: EnvironmentFacts = {
  configMaps: new Map([
    ['settings', configMapData({ data: { color: 'red', 'bad=key': 'x' }, binaryData: { blob: 'AA==' } })],
  ]),
  secrets: new Map([['keys', secretData({ data: { color: 'Ymx1ZQ==', raw: '/wA=' } })]]),
  podIps: ['10.0.0.2', 'fd00::2'],
  hostIps: ['192.168.0.5'],
  allocatable: { cpu: '3920m', memory: '7Gi' },
  services: new Map([['WEB_SERVICE_HOST', '10.96.0.9']]),
};

function podOf(container: JsonObject, metadata: JsonObject = {}): Pod {
  return samplePod({ containers: [{ name: 'main', image: 'web:1', ...container }], nodeName: 'edge-1' }, metadata);
}

function environmentOf(pod: Pod): ContainerEnvironment {
  const [container] = pod.spec.containers;
  if (container === undefined) throw new Error('no container');
  return containerEnvironment(pod, container, facts);
}

function variablesOf(container: JsonObject, metadata?: JsonObject): Readonly<Record<string, string>> {
  const { variables } = environmentOf(podOf(container, metadata));
  return Object.fromEntries(variables.map(({ key, value }) => [key, Buffer.from(value).toString('utf8')]));
}

test('envFrom comes first and the later source wins, then env, then Services', () => {
  const envFrom = [
    { configMapRef: { name: 'settings' } },
    { prefix: 'P_', secretRef: { name: 'keys' } },
    { secretRef: { name: 'keys' } },
  ];
  const env = [
    { name: 'LATER', value: '$(color)-$(LAST)-$$(color)-$(WEB_SERVICE_HOST)' },
    { name: 'LAST', value: 'z' },
  ];
  expect(variablesOf({ envFrom, env })).toMatchObject({
    color: 'blue',
    P_color: 'blue',
    LATER: 'blue-$(LAST)-$(color)-10.96.0.9',
    WEB_SERVICE_HOST: '10.96.0.9',
  });
  expect(environmentOf(podOf({ envFrom })).skipped).toEqual(['bad=key']);
});

test('the value of a Secret keeps bytes that are no text', () => {
  const env = [{ name: 'RAW', valueFrom: { secretKeyRef: { name: 'keys', key: 'raw' } } }];
  const { variables } = environmentOf(podOf({ env }));
  expect([...(variables.find(({ key }) => key === 'RAW')?.value ?? [])]).toEqual([255, 0]);
});

function field(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

function resource(name: string, fields: JsonObject): JsonObject {
  return { name, valueFrom: { resourceFieldRef: fields } };
}

test('the fields of the pod and of its containers are resolved', () => {
  const env = [
    field('NAME', 'metadata.name'),
    field('LABEL', "metadata.labels['app']"),
    field('NONE', "metadata.annotations['none']"),
    field('NODE', 'spec.nodeName'),
    field('IPS', 'status.podIPs'),
    field('HOST', 'status.hostIP'),
    resource('CPU', { resource: 'limits.cpu' }),
    resource('MILLI', { resource: 'limits.cpu', divisor: '1m' }),
    resource('MEMORY', { resource: 'limits.memory', divisor: '1Mi' }),
    resource('REQUEST', { resource: 'requests.cpu', divisor: '1m' }),
  ];
  const resources = { limits: { cpu: '1100m' } };
  expect(variablesOf({ env, resources }, { labels: { app: 'web' } })).toMatchObject({
    NAME: 'web',
    LABEL: 'web',
    NONE: '',
    NODE: 'edge-1',
    IPS: '10.0.0.2,fd00::2',
    HOST: '192.168.0.5',
    CPU: '2',
    MILLI: '1100',
    MEMORY: '7168',
    REQUEST: '1100',
  });
});

test('what is missing is named, unless it is optional', () => {
  const env: JsonObject[] = [
    { name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'size' } } },
    { name: 'B', valueFrom: { secretKeyRef: { name: 'none', key: 'k' } } },
    { name: 'C', valueFrom: { secretKeyRef: { name: 'none', key: 'k', optional: true } } },
    { name: 'D', valueFrom: { configMapKeyRef: { name: 'settings', key: 'blob' } } },
  ];
  env.push(field('E', 'spec.priority'));
  const envFrom = [{ configMapRef: { name: 'gone' } }, { configMapRef: { name: 'gone', optional: true } }];
  const { missing, variables } = environmentOf(podOf({ env, envFrom }));
  expect(missing.map(({ message }) => message)).toEqual([
    'configmap "gone" not found',
    `couldn't find key "size" in ConfigMap "settings"`,
    'secret "none" not found',
    `couldn't find key "blob" in ConfigMap "settings"`,
    'unsupported field "spec.priority"',
  ]);
  expect(variables.map(({ key }) => key)).toEqual(['WEB_SERVICE_HOST']);
});

test('command and arguments are expanded with the final environment', () => {
  const pod = podOf({ env: [{ name: 'A', value: 'x y' }], command: ['run', '$(A)'], args: ['$(B)', '$$(A)', '$A'] });
  const [container] = pod.spec.containers;
  if (container === undefined) throw new Error('no container');
  expect(containerCommand(container, environmentOf(pod))).toEqual({
    command: ['run', 'x y'],
    args: ['$(B)', '$(A)', '$A'],
  });
  expect(expandStatic('$(A)/$(WEB_SERVICE_HOST)', container)).toBe('x y/$(WEB_SERVICE_HOST)');
});

test.each([
  ['$(A)', 'a'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$a'],
  ['$(X)', '$(X)'],
  ['$(A', '$(A'],
  ['$(A$(A)', '$(A$(A)'],
  ['$', '$'],
  ['$$', '$'],
  ['$x$', '$x$'],
  ['()$()', '()$()'],
  ['$(A)$(A)', 'aa'],
])('%s is expanded to %s', (text, expected) => {
  expect(expand(text, (name) => (name === 'A' ? 'a' : undefined))).toBe(expected);
});

test('text without a dollar is never changed', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('$'));
      expect(expand(text, () => 'x')).toBe(text);
      expect(
        expand(
          text.replaceAll('(', () => '$$('),
          () => 'x',
        ),
      ).toBe(text.replaceAll('(', () => '$('));
    }),
  );
});

test('a megabyte of open references takes no more time than it is long', () => {
  const text = '$('.repeat(500_000);
  const before = processorMs();
  expect(expand(text, () => 'x')).toBe(text);
  expect(expand(`)${text}`, () => 'x')).toBe(`)${text}`);
  expect(processorMs() - before).toBeLessThan(20_000);
});

test('Services become the variables that Docker links had', () => {
  const ports = [
    { name: 'http', port: 80, protocol: 'TCP' },
    { port: 53, protocol: 'UDP' },
  ];
  expect(Object.fromEntries(serviceVariables([{ name: 'my-web', clusterIp: '10.96.0.9', ports }]))).toEqual({
    MY_WEB_SERVICE_HOST: '10.96.0.9',
    MY_WEB_SERVICE_PORT: '80',
    MY_WEB_SERVICE_PORT_HTTP: '80',
    MY_WEB_PORT: 'tcp://10.96.0.9:80',
    MY_WEB_PORT_80_TCP: 'tcp://10.96.0.9:80',
    MY_WEB_PORT_80_TCP_PROTO: 'tcp',
    MY_WEB_PORT_80_TCP_PORT: '80',
    MY_WEB_PORT_80_TCP_ADDR: '10.96.0.9',
    MY_WEB_PORT_53_UDP: 'udp://10.96.0.9:53',
    MY_WEB_PORT_53_UDP_PROTO: 'udp',
    MY_WEB_PORT_53_UDP_PORT: '53',
    MY_WEB_PORT_53_UDP_ADDR: '10.96.0.9',
  });
});
