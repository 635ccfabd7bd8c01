import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { configMap, node, pod } from './manifests.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(new AbortController().signal);
  const objects = [node('edge-1'), configMap('settings', { colour: 'red' }), pod('web'), pod('db')];
  const list = await cluster.manifest('all.json', { apiVersion: 'v1', kind: 'List', items: objects });
  // A node without its fields would be refused by kubectl itself, which knows them all.
  await cluster.run('create', '--validate=false', '-f', list);
  await cluster.run('wait', '--for=condition=PodScheduled', 'pod', '--all', '--timeout=10s');
});
afterAll(async () => {
  expect(cluster.complaints).toEqual([]);
  await cluster.stop();
});

test('get shows pods as the table its users know', async () => {
  const [head = '', ...rows] = (await cluster.run('get', 'pods')).trim().split('\n');
  expect(head).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE$/);
  expect(rows).toEqual([expect.stringMatching(/^db +0\/1 +Pending +0 +\d+s$/), expect.stringMatching(/^web +0\/1/)]);
});

test('get -o wide adds the node and the address', async () => {
  const shown = await cluster.run('get', 'pods', '-o', 'wide');
  expect(shown).toMatch(/NAME .* AGE +IP +NODE +NOMINATED NODE +READINESS GATES/);
  expect(shown).toMatch(/web .* <none> +edge-1 +<none> +<none>/);
});

test('get nodes shows status, roles, version, and with -o wide the system', async () => {
  expect(await cluster.run('get', 'nodes')).toMatch(/edge-1 +Ready +<none> +\d+s +v1\.32\.0/);
  expect(await cluster.run('get', 'nodes', '-o', 'wide')).toMatch(/edge-1 .* 10\.1\.2\.3 +<none> +Debian +6\.1/);
});

test('get -o yaml and -o json show the object with its defaults', async () => {
  expect(await cluster.run('get', 'pod', 'web', '-o', 'yaml')).toContain('imagePullPolicy: IfNotPresent');
  expect(JSON.parse(await cluster.run('get', 'pod', 'web', '-o', 'json'))).toMatchObject({
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', labels: { app: 'web' } },
    spec: { nodeName: 'edge-1', restartPolicy: 'Always', containers: [{ name: 'main', ports: [{ protocol: 'TCP' }] }] },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  });
});

test('get selects by label and by field', async () => {
  expect(await cluster.run('get', 'pods', '-l', 'app=web', '-o', 'name')).toBe('pod/web\n');
  expect(await cluster.run('get', 'pods', '-l', 'app notin (web)', '-o', 'name')).toBe('pod/db\n');
  expect(
    await cluster.run('get', 'pods', '--field-selector', 'spec.nodeName=edge-1,metadata.name=db', '-o', 'name'),
  ).toBe('pod/db\n');
  const refused = await cluster.kubectl(['get', 'pods', '--field-selector', 'spec.colour=red']);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('field label not supported') });
});

test('get of something that is not there says so', async () => {
  const absent = await cluster.kubectl(['get', 'pod', 'nobody']);
  expect(absent).toMatchObject({ exitCode: 1, stderr: 'Error from server (NotFound): pods "nobody" not found\n' });
  const unknown = await cluster.kubectl(['get', 'gadgets']);
  expect(unknown).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`doesn't have a resource type "gadgets"`),
  });
});

test('get -w goes on to show changes', async () => {
  const watching = cluster.follow('get', 'configmaps', '-w');
  await expect.poll(watching.printed, { timeout: 20_000 }).toContain('settings');
  await cluster.run('create', 'configmap', 'seen', '--from-literal=a=b');
  await cluster.run('delete', 'configmap', 'seen');
  await expect.poll(watching.printed, { timeout: 20_000 }).toMatch(/^seen .*\n(.*\n)*seen /m);
  watching.stop();
});

test('describe tells about a pod with its events, and about its node', async () => {
  const described = await cluster.run('describe', 'pod', 'web');
  expect(described).toMatch(/Node: +edge-1/);
  expect(described).toMatch(/Normal +Scheduled .* Successfully assigned default\/web to edge-1/);
  const machine = await cluster.run('describe', 'node', 'edge-1');
  expect(machine).toMatch(/Non-terminated Pods: +\(2 in total\)/);
});

test.each(['configmap/settings', 'namespace/default', 'serviceaccount/default'])(
  'describe tells about %s',
  async (name) => {
    expect(await cluster.run('describe', name)).toContain(`Name:`);
  },
);

test('get shows every built-in kind', async () => {
  const kinds = 'ns,no,po,cm,secrets,sa,svc,ep,ev,leases,csr,crd,events.events.k8s.io';
  expect((await cluster.kubectl(['get', kinds, '-A'])).exitCode).toBe(0);
});

test('api-resources, api-versions, version and cluster-info know the server', async () => {
  const resources = await cluster.run('api-resources');
  expect(resources).toMatch(
    /certificatesigningrequests +csr +certificates\.k8s\.io\/v1 +false +CertificateSigningRequest/,
  );
  expect(resources).toMatch(/leases +coordination\.k8s\.io\/v1 +true +Lease/);
  expect(await cluster.run('api-versions')).toContain('apiextensions.k8s.io/v1\n');
  expect(await cluster.run('version', '--short')).toMatch(/Server Version: v1\.\d+\.\d+\+kubelite/);
  expect((await cluster.kubectl(['cluster-info'])).exitCode).toBe(0);
});

test('what the embedded API does not serve is refused with the reason', async () => {
  const deployment = await cluster.kubectl(['create', 'deployment', 'web', '--image=web:1']);
  expect(deployment).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('it runs no controllers') });
  const logs = await cluster.kubectl(['get', '--raw', '/api/v1/namespaces/default/pods/web/log']);
  expect(logs).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Reading logs of containers is not') });
});

test('what is stored without effect comes with a warning', async () => {
  const { exitCode, stderr } = await cluster.kubectl(['create', 'service', 'clusterip', 'stored', '--tcp=80']);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^Warning: .*only stores Services/),
  });
});

test('explain knows the fields', async () => {
  const explained = await cluster.run('explain', 'pod.spec.containers');
  expect(explained).toMatch(/imagePullPolicy\t<string>/);
  expect(explained).toMatch(/name\t<string> -required-/);
});

test('get --raw reaches discovery, health and version', async () => {
  expect(await cluster.run('get', '--raw', '/readyz')).toBe('ok');
  expect(JSON.parse(await cluster.run('get', '--raw', '/api'))).toMatchObject({ versions: ['v1'] });
});
