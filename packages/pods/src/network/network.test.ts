import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { parseResolvConf, podDns, type DnsFacts } from './dns.ts';
import { hostnameProblem, sandboxHostname } from './hostname.ts';
import { hostsFile } from './hosts-file.ts';
import { hostPorts, portMappings, portsClash, resolvePort } from './ports.ts';

const host = parseResolvConf('# note\nnameserver 192.168.0.1\nsearch lan\noptions ndots:1 rotate\n');
const facts: DnsFacts = { clusterDns: ['10.96.0.10'], clusterDomain: 'cluster.local', host };
const cluster = {
  servers: ['10.96.0.10'],
  searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'lan'],
  options: ['ndots:5'],
};

function configOf(spec: JsonObject, changes: Partial<DnsFacts> = {}): unknown {
  return podDns(samplePod(spec), { ...facts, ...changes }).config;
}

test('a hostname is the name of the pod, its own, or with its domain', () => {
  const name = `${'a'.repeat(62)}-${'b'.repeat(10)}`;
  expect(sandboxHostname(samplePod({}, { name }), 'cluster.local')).toBe('a'.repeat(62));
  expect(sandboxHostname(samplePod({ hostname: 'h' }), 'cluster.local')).toBe('h');
  const full = { hostname: 'h', subdomain: 's', setHostnameAsFQDN: true };
  expect(sandboxHostname(samplePod(full), 'cluster.local')).toBe('h.s.shop.svc.cluster.local');
  expect(sandboxHostname(samplePod({ hostNetwork: true }), 'cluster.local')).toBe('');
  expect(hostnameProblem(samplePod({ ...full, hostname: 'h'.repeat(60) }), 'cluster.local')).toContain('64');
  expect(hostnameProblem(samplePod(full), 'cluster.local')).toBeUndefined();
});

test('the file of hosts names the pod and its aliases', () => {
  const hostAliases = [{ ip: '1.2.3.4', hostnames: ['a', 'b'] }];
  const pod = samplePod({ hostname: 'h', subdomain: 's', hostAliases });
  const parts = { podIps: ['10.0.0.2', 'fd00::2'], hostFile: 'HOST\n', clusterDomain: 'cluster.local' };
  expect(hostsFile(pod, parts)).toBe(
    [
      '# Kubernetes-managed hosts file.',
      '127.0.0.1\tlocalhost',
      '::1\tlocalhost ip6-localhost ip6-loopback',
      'fe00::0\tip6-localnet',
      'fe00::0\tip6-mcastprefix',
      'fe00::1\tip6-allnodes',
      'fe00::2\tip6-allrouters',
      '10.0.0.2\th.s.shop.svc.cluster.local\th',
      'fd00::2\th.s.shop.svc.cluster.local\th',
      '',
      '# Entries added by HostAliases.',
      '1.2.3.4\ta\tb',
      '',
    ].join('\n'),
  );
  expect(hostsFile(samplePod({ hostNetwork: true }), parts)).toBe(
    '# Kubernetes-managed hosts file (host network).\nHOST\n',
  );
});

test.each([
  [{}, cluster],
  [{ hostNetwork: true }, host],
  [{ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }, cluster],
  [{ dnsPolicy: 'Default' }, host],
  [
    { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } },
    { servers: ['1.1.1.1'], searches: [], options: [] },
  ],
])('a pod with %j resolves names with %j', (spec, expected) => {
  expect(configOf(spec)).toEqual(expected);
});

test('the settings of a pod are added to those of its policy', () => {
  const options = [{ name: 'ndots', value: '2' }, { name: 'edns0' }];
  const dnsConfig = { nameservers: ['10.96.0.10', '1.1.1.1'], searches: ['example.com'], options };
  expect(configOf({ dnsConfig })).toEqual({
    servers: ['10.96.0.10', '1.1.1.1'],
    searches: [...cluster.searches, 'example.com'],
    options: ['ndots:2', 'edns0'],
  });
});

test('without the DNS of the cluster the node resolves names, and an event says so', () => {
  const { config, warnings } = podDns(samplePod(), { ...facts, clusterDns: [] });
  expect(config).toEqual(host);
  expect(warnings).toMatchObject([{ reason: 'MissingClusterDNS' }]);
  expect(configOf({ dnsPolicy: 'Default' }, { host: undefined })).toEqual({
    servers: ['127.0.0.1'],
    searches: ['.'],
    options: [],
  });
});

test('what resolvers do not accept is cut, and an event says so', () => {
  const nameservers = ['1', '2', '3', '4'];
  const searches = Array.from({ length: 40 }, (_, index) => `${'x'.repeat(80)}${index}`);
  const { config, warnings } = podDns(samplePod({ dnsPolicy: 'None', dnsConfig: { nameservers, searches } }), facts);
  expect(config.servers).toHaveLength(3);
  expect(config.searches.join(' ').length).toBeLessThanOrEqual(2048);
  expect(warnings).toMatchObject([
    { reason: 'DNSConfigForming', message: expect.stringMatching(/the applied nameserver line is: 1 2 3$/) },
    { reason: 'DNSConfigForming', message: expect.stringMatching(/the applied search line is: x+0 x+1 /) },
  ]);
});

test('ports of the node are mapped, except on its own network', () => {
  const ports = [
    { containerPort: 80, hostPort: 8080, hostIP: '127.0.0.1' },
    { containerPort: 53, protocol: 'UDP' },
  ];
  const containers = [{ name: 'main', image: 'a', ports }];
  expect(portMappings(samplePod({ containers }))).toEqual([
    { protocol: 0, containerPort: 80, hostPort: 8080, hostIp: '127.0.0.1' },
  ]);
  const onHost = samplePod({ containers, hostNetwork: true });
  expect(portMappings(onHost)).toEqual([]);
  expect(hostPorts(onHost).map(({ hostPort }) => hostPort)).toEqual([8080, 53]);
});

test('ports clash on the same address', () => {
  const port = { containerPort: 1, hostPort: 80, protocol: 'TCP' as const };
  expect(portsClash(port, { ...port, hostIP: '127.0.0.1' })).toBe(true);
  expect(portsClash({ ...port, hostIP: '10.0.0.1' }, { ...port, hostIP: '127.0.0.1' })).toBe(false);
  expect(portsClash(port, { ...port, protocol: 'UDP' })).toBe(false);
  expect(portsClash(port, { ...port, hostPort: 81 })).toBe(false);
});

test('ports are found by name', () => {
  const { spec } = samplePod({
    containers: [{ name: 'main', image: 'a', ports: [{ name: 'http', containerPort: 8080 }] }],
  });
  const resolve = (port: number | string): unknown => spec.containers[0] && resolvePort(spec.containers[0], port);
  expect([resolve('http'), resolve(81), resolve('82'), resolve('https')]).toEqual([8080, 81, 82, undefined]);
});
