import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { CLUSTER_DNS, type PodCloud, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();

function withSysctl(name: string, value: string): JsonObject {
  return { securityContext: { sysctls: [{ name, value }] } };
}

describe.skipIf(isShortRun())('what containers may do and what they share', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  const PROCESS = 'grep -E "^(Uid|Gid|Groups|CapEff|NoNewPrivs|Seccomp):" /proc/self/status | tr "\\t" " "';

  async function processOf(name: string, securityContext: JsonObject, spec: JsonObject = {}): Promise<string> {
    return pods.runOnce(name, PROCESS, spec, { securityContext });
  }

  test('user, groups and capabilities are those of the security context, the container before the pod', async () => {
    const ofPod = { runAsUser: 1000, runAsGroup: 2000, supplementalGroups: [3000, 4000] };
    expect(await processOf('by-pod', {}, { securityContext: ofPod })).toMatch(
      /^Uid: 1000 1000 1000 1000\nGid: 2000 2000 2000 2000\nGroups: 2000 3000 4000/,
    );
    expect(await processOf('by-container', { runAsUser: 65534 }, { securityContext: ofPod })).toMatch(/^Uid: 65534 /);
    const capabilities = { drop: ['ALL'], add: ['NET_BIND_SERVICE'] };
    expect(await processOf('capabilities', { capabilities })).toMatch(/^CapEff: 0000000000000400$/m);
  });

  test('privileges cannot grow where that is forbidden', async () => {
    expect(await processOf('may-grow', {})).toMatch(/^NoNewPrivs: 0$/m);
    expect(await processOf('may-not-grow', { allowPrivilegeEscalation: false })).toMatch(/^NoNewPrivs: 1$/m);
  });

  test('a root file system can be read-only', async () => {
    const script = 'touch /x 2>&1 | grep -o Read-only';
    const securityContext = { readOnlyRootFilesystem: true };
    expect(await pods.runOnce('read-only', script, {}, { securityContext })).toBe('Read-only');
  });

  test('a privileged container sees every device and nothing of /proc is hidden from it', async () => {
    const script = 'ls /dev | wc -l; grep -c " /proc/" /proc/mounts';
    const [devices, masks] = (await pods.runOnce('usual', script)).split('\n').map(Number);
    const text = await pods.runOnce('privileged', `${script}; true`, {}, { securityContext: { privileged: true } });
    const [moreDevices, noMasks] = text.split('\n').map(Number);
    expect(moreDevices).toBeGreaterThan(devices ?? 0);
    expect(masks).toBeGreaterThan(3);
    expect(noMasks).toBe(0);
  });

  test('a container that must not run as root is not started as root', async () => {
    const securityContext = { runAsNonRoot: true };
    await pods.runScript('not-root', SLEEP, { securityContext });
    const waiting = { reason: 'CreateContainerConfigError', message: expect.stringContaining('root') };
    await pods.untilStatus('not-root', { containerStatuses: [{ state: { waiting } }] });
    expect(await processOf('other-user', { runAsUser: 1 }, { securityContext })).toMatch(/^Uid: 1 /);
  });

  test('the seccomp profile is the one that the pod asks for', async () => {
    const folder = join(cloud.nodeRoot, 'var/lib/kubelet/seccomp');
    await mkdir(folder, { recursive: true });
    const syscalls = [{ names: ['mkdir', 'mkdirat'], action: 'SCMP_ACT_ERRNO' }];
    await writeFile(join(folder, 'own.json'), JSON.stringify({ defaultAction: 'SCMP_ACT_ALLOW', syscalls }));
    expect(await processOf('seccomp-default', { seccompProfile: { type: 'RuntimeDefault' } })).toContain('Seccomp: 2');
    expect(await processOf('seccomp-none', { seccompProfile: { type: 'Unconfined' } })).toContain('Seccomp: 0');
    expect(await processOf('seccomp-unset', {})).toContain('Seccomp: 0');
    const securityContext = { seccompProfile: { type: 'Localhost', localhostProfile: 'own.json' } };
    const script = 'mkdir /x 2>/dev/null || echo refused';
    expect(await pods.runOnce('seccomp-own', script, {}, { securityContext })).toBe('refused');
  });

  test('a safe sysctl is set, and a pod with another one fails', async () => {
    const script = 'cat /proc/sys/net/ipv4/ip_unprivileged_port_start';
    expect(await pods.runOnce('sysctl', script, withSysctl('net.ipv4.ip_unprivileged_port_start', '99'))).toBe('99');
    await pods.runScript('unsafe-sysctl', SLEEP, withSysctl('kernel.msgmax', '65536'));
    await pods.untilStatus('unsafe-sysctl', { phase: 'Failed', reason: 'SysctlForbidden' });
    expect(await pods.sandboxesOf('unsafe-sysctl')).toEqual([]);
  });

  test('the containers of a pod share processes if the pod says so', async () => {
    const containers = [scriptContainer('main', 'sleep 1; ps; exit 0'), scriptContainer('other', 'exec sleep 4321')];
    await pods.create('apart', { containers });
    await pods.create('together', { containers, shareProcessNamespace: true });
    const seen = async (name: string): Promise<string> =>
      vi.waitFor(async () => {
        const output = await pods.output(name);
        expect(output).toContain('ps');
        return output;
      }, PATIENCE);
    expect(await seen('together')).toContain('sleep 4321');
    expect(await seen('apart')).not.toContain('sleep 4321');
    await pods.delete('apart');
    await pods.delete('together');
  });

  test('a pod has the network, processes and IPC of the node if it says so', async () => {
    const spaces = ['net', 'pid', 'ipc'] as const;
    const script = spaces.map((space) => `readlink /proc/self/ns/${space}`).join('; ');
    const ofNode = (await cloud.run(['sh', '-c', script])).trim().split('\n');
    const usual = (await pods.runOnce('own-spaces', script)).split('\n');
    const shared = { hostNetwork: true, hostPID: true, hostIPC: true };
    expect((await pods.runOnce('node-spaces', script, shared)).split('\n')).toEqual(ofNode);
    for (const [index, space] of usual.entries()) expect(space).not.toBe(ofNode[index]);
    const pod = await pods.find('node-spaces');
    expect(stringAt(pod, 'status', 'podIP')).toBe(stringAt(pod, 'status', 'hostIP'));
  });

  /** The control group of a pod in one hierarchy. */
  async function groupOf(name: string, controller: string): Promise<string> {
    const uid = (await pods.find(name))?.metadata.uid ?? '';
    return (await cloud.run(['find', `/sys/fs/cgroup/${controller}`, '-name', `*${uid}`])).trim();
  }

  test('a pod has a control group by its class of service, with the limits of all its containers', async () => {
    const resources = { requests: { cpu: '100m', memory: '32Mi' }, limits: { cpu: '200m', memory: '64Mi' } };
    await pods.runScript('burstable', SLEEP, {}, { resources });
    await pods.runScript('best-effort', SLEEP);
    await pods.runScript(
      'guaranteed',
      SLEEP,
      {},
      { resources: { requests: resources.limits, limits: resources.limits } },
    );
    for (const name of ['burstable', 'best-effort', 'guaranteed']) await pods.untilRunning(name);
    expect(await groupOf('burstable', 'cpu')).toContain('/kubepods/burstable/pod');
    expect(await groupOf('best-effort', 'cpu')).toContain('/kubepods/besteffort/pod');
    expect(await groupOf('guaranteed', 'cpu')).toMatch(/\/kubepods\/pod[^/]+$/);
    const read = async (controller: string, file: string): Promise<readonly string[]> => {
      const folder = await groupOf('burstable', controller);
      const [container] = (await pods.containersOf('burstable')).map(({ id }) => id);
      return (await cloud.run(['cat', `${folder}/${file}`, `${folder}/${container}/${file}`])).trim().split('\n');
    };
    expect(await read('cpu', 'cpu.shares')).toEqual(['102', '102']);
    expect(await read('cpu', 'cpu.cfs_quota_us')).toEqual(['20000', '20000']);
    expect(await read('memory', 'memory.limit_in_bytes')).toEqual(['67108864', '67108864']);
    const status = (await pods.find('burstable'))?.['status'];
    expect(status).toMatchObject({ qosClass: 'Burstable' });
  });

  test('what is left of pods that are gone is removed when the agent has started and every pod is known', async () => {
    const uid = '11111111-2222-3333-4444-555555555555';
    const group = `/sys/fs/cgroup/memory/kubepods/besteffort/pod${uid}`;
    const folder = join(cloud.nodeRoot, 'var/lib/kubelet/pods', uid);
    await cloud.killAgent();
    await cloud.run(['mkdir', group, folder]);
    await cloud.startAgent();
    await untilNodeReady(cloud);
    const isGone = `[ -e ${group} ] || [ -e ${folder} ] || echo gone`;
    await vi.waitFor(async () => expect(await cloud.run(['sh', '-c', isGone])).toBe('gone\n'), {
      timeout: 90_000,
      interval: 1_000,
    });
  });

  test('a container that uses more memory than its limit is killed and says so', async () => {
    const resources = { limits: { memory: '16Mi' } };
    await pods.runScript('greedy', 'exec tail /dev/zero', { restartPolicy: 'Never' }, { resources });
    const terminated = { exitCode: 137, reason: 'OOMKilled' };
    await pods.untilStatus('greedy', { phase: 'Failed', containerStatuses: [{ state: { terminated } }] });
  });

  const RESOLVER = 'cat /etc/resolv.conf';
  const CLUSTER_SEARCH = 'default.svc.cluster.test svc.cluster.test cluster.test';

  test('the DNS policy says which servers a pod asks', async () => {
    const ofHost = (await cloud.run(['sed', '-n', 's/^nameserver //p', '/etc/resolv.conf'])).trim().split('\n');
    const cluster = await pods.runOnce('dns-cluster', RESOLVER);
    expect(cluster).toMatch(new RegExp(`^search ${CLUSTER_SEARCH}`, 'm'));
    expect(cluster).toContain(`nameserver ${CLUSTER_DNS}`);
    expect(cluster).toContain('options ndots:5');
    const onHost = { hostNetwork: true };
    for (const [name, spec] of [
      ['dns-default', { dnsPolicy: 'Default' }],
      ['dns-host-network', { ...onHost, dnsPolicy: 'ClusterFirst' }],
    ] as const) {
      const output = await pods.runOnce(name, RESOLVER, spec);
      expect(output).not.toContain(CLUSTER_DNS);
      for (const server of ofHost) expect(output).toContain(`nameserver ${server}`);
    }
    const withHost = await pods.runOnce('dns-with-host', RESOLVER, { ...onHost, dnsPolicy: 'ClusterFirstWithHostNet' });
    expect(withHost).toContain(`nameserver ${CLUSTER_DNS}`);
    const dnsConfig = { nameservers: ['192.0.2.1'], searches: ['own.test'], options: [{ name: 'ndots', value: '2' }] };
    const own = await pods.runOnce('dns-none', RESOLVER, { dnsPolicy: 'None', dnsConfig });
    expect(own.split('\n').toSorted()).toEqual(['nameserver 192.0.2.1', 'options ndots:2', 'search own.test']);
    const merged = await pods.runOnce('dns-merged', RESOLVER, { dnsConfig });
    expect(merged).toMatch(new RegExp(`nameserver ${CLUSTER_DNS}\nnameserver 192.0.2.1`));
    expect(merged).toContain('options ndots:2');
  });

  test('a pod knows its name, its address and its host aliases', async () => {
    const hostAliases = [{ ip: '192.0.2.7', hostnames: ['press', 'press.test'] }];
    const output = await pods.runOnce('named', 'hostname; cat /etc/hosts', { hostAliases });
    const podIP = stringAt(await pods.find('named'), 'status', 'podIP');
    expect(output.split('\n')[0]).toBe('named');
    expect(output).toContain('# Kubernetes-managed hosts file.');
    expect(output).toContain(`${podIP}\tnamed`);
    expect(output).toContain('192.0.2.7\tpress\tpress.test');
  });

  test('a pod has the host name and subdomain that it asks for, cut to 63 characters', async () => {
    const spec = { hostname: 'own', subdomain: 'group' };
    const output = await pods.runOnce('renamed', 'hostname; grep own /etc/hosts', spec);
    expect(output).toMatch(/^own\n[\d.]+\town\.group\.default\.svc\.cluster\.test\town$/);
    const qualified = await pods.runOnce('qualified', 'hostname', { ...spec, setHostnameAsFQDN: true });
    expect(qualified).toBe('own.group.default.svc.cluster.test');
    expect(await pods.runOnce(`long-${'a'.repeat(70)}`, 'hostname')).toBe(`long-${'a'.repeat(58)}`);
    expect(await pods.runOnce('of-node', 'hostname', { hostNetwork: true })).toBe(
      (await cloud.run(['hostname'])).trim(),
    );
  });

  test('a hosts file that a container mounts itself is left alone', async () => {
    const file = join(cloud.runtime.folder, 'own-hosts');
    await writeFile(file, 'own\n');
    const volumes = [{ name: 'hosts', hostPath: { path: file, type: 'File' } }];
    const container = { volumeMounts: [{ name: 'hosts', mountPath: '/etc/hosts' }] };
    expect(await pods.runOnce('own-hosts', 'cat /etc/hosts', { volumes }, container)).toBe('own');
  });
});
