import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { configMap, pod } from './manifests.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster(new AbortController().signal);
});
afterAll(async () => {
  expect(cluster.complaints).toEqual([]);
  await cluster.stop();
});

async function field(path: string, ...object: readonly string[]): Promise<string> {
  return cluster.run('get', ...object, '-o', `jsonpath={${path}}`);
}

test('create makes objects of many kinds, and refuses a second one of the same name', async () => {
  await cluster.run('create', 'configmap', 'made', '--from-literal=a=1');
  await cluster.run('create', 'secret', 'generic', 'hidden', '--from-literal=password=swordfish');
  await cluster.run('create', 'serviceaccount', 'robot');
  await cluster.run('create', 'service', 'clusterip', 'front', '--tcp=80:8080');
  await cluster.run('create', 'namespace', 'team');
  expect(await field('.data.password', 'secret', 'hidden')).toBe(Buffer.from('swordfish').toString('base64'));
  const again = await cluster.kubectl(['create', 'configmap', 'made']);
  expect(again).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('(AlreadyExists): configmaps "made" already exists'),
  });
});

test('a create in a namespace that is not there is refused', async () => {
  const refused = await cluster.kubectl(['create', 'configmap', 'x', '-n', 'nowhere']);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('namespaces "nowhere" not found') });
});

test('apply creates, says unchanged, configures, and removes what the file no longer has', async () => {
  const first = await cluster.manifest('applied.json', configMap('applied', { a: '1', b: '2' }));
  expect(await cluster.run('apply', '-f', first)).toBe('configmap/applied created\n');
  expect(await cluster.run('apply', '-f', first)).toBe('configmap/applied unchanged\n');
  const second = await cluster.manifest('applied.json', configMap('applied', { a: '3' }));
  expect(await cluster.run('apply', '-f', second)).toBe('configmap/applied configured\n');
  expect(JSON.parse(await field('.data', 'configmap', 'applied'))).toEqual({ a: '3' });
});

test('apply of a pod merges its lists by name, and fields of others stay', async () => {
  const file = await cluster.manifest('pod.json', pod('merged'));
  await cluster.run('apply', '-f', file);
  await cluster.run('patch', 'pod', 'merged', '-p', '{"metadata":{"labels":{"by":"someone"}}}');
  await cluster.run('apply', '-f', file);
  expect(await field('.metadata.labels.by', 'pod', 'merged')).toBe('someone');
  await cluster.run(
    'patch',
    'pod',
    'merged',
    '-p',
    '{"spec":{"containers":[{"name":"main","image":"registry.example/web:2"}]}}',
  );
  expect(await field('.spec.containers[*].image', 'pod', 'merged')).toBe('registry.example/web:2');
  expect(await field('.spec.containers[0].env[0].name', 'pod', 'merged')).toBe('GREETING');
});

test('apply checks fields before it sends them', async () => {
  const file = await cluster.manifest('typo.json', pod('typo', { restartPolcy: 'Always' }));
  const refused = await cluster.kubectl(['apply', '-f', file]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('unknown field "restartPolcy"') });
});

test('apply --dry-run=server checks and stores nothing', async () => {
  const file = await cluster.manifest('rehearsed.json', configMap('rehearsed', { a: '1' }));
  expect(await cluster.run('apply', '--dry-run=server', '-f', file)).toBe(
    'configmap/rehearsed created (server dry run)\n',
  );
  expect((await cluster.kubectl(['get', 'configmap', 'rehearsed'])).exitCode).toBe(1);
});

test('apply --server-side owns fields, and a conflict names the other manager', async () => {
  const ours = await cluster.manifest('owned.json', configMap('owned', { a: '1', b: '1' }));
  expect(await cluster.run('apply', '--server-side', '-f', ours)).toBe('configmap/owned serverside-applied\n');
  const theirs = await cluster.manifest('owned.json', configMap('owned', { a: '2' }));
  const refused = await cluster.kubectl(['apply', '--server-side', '--field-manager=other', '-f', theirs]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/conflict with "kubectl".*: \.data\.a/) });
  await cluster.run('apply', '--server-side', '--field-manager=other', '--force-conflicts', '-f', theirs);
  expect(JSON.parse(await field('.data', 'configmap', 'owned'))).toEqual({ a: '2', b: '1' });
});

test('patch works in all three forms', async () => {
  await cluster.run('create', 'configmap', 'patched', '--from-literal=a=1');
  await cluster.run(
    'patch',
    'configmap',
    'patched',
    '--type=json',
    '-p',
    '[{"op":"replace","path":"/data/a","value":"2"}]',
  );
  await cluster.run('patch', 'configmap', 'patched', '--type=merge', '-p', '{"data":{"b":"3"}}');
  await cluster.run('patch', 'configmap', 'patched', '--type=strategic', '-p', '{"data":{"a":null,"c":"4"}}');
  expect(JSON.parse(await field('.data', 'configmap', 'patched'))).toEqual({ b: '3', c: '4' });
  const refused = await cluster.kubectl([
    'patch',
    'configmap',
    'patched',
    '--type=json',
    '-p',
    '[{"op":"test","path":"/data/b","value":"x"}]',
  ]);
  expect(refused.exitCode).toBe(1);
});

test('label and annotate add, refuse to overwrite, and remove', async () => {
  await cluster.run('create', 'configmap', 'marked');
  await cluster.run('label', 'configmap', 'marked', 'tier=front');
  expect((await cluster.kubectl(['label', 'configmap', 'marked', 'tier=back'])).exitCode).toBe(1);
  await cluster.run('label', '--overwrite', 'configmap', 'marked', 'tier=back');
  await cluster.run('annotate', 'configmap', 'marked', 'note=hello there');
  expect(await cluster.run('get', 'configmap', 'marked', '--show-labels')).toContain('tier=back');
  await cluster.run('label', 'configmap', 'marked', 'tier-');
  await cluster.run('annotate', 'configmap', 'marked', 'note-');
  expect(await field('.metadata.labels', 'configmap', 'marked')).toBe('');
  const refused = await cluster.kubectl(['label', 'configmap', 'marked', 'bad=not a label']);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('a valid label') });
});

test('replace and edit write whole objects', async () => {
  await cluster.run('create', 'configmap', 'whole', '--from-literal=a=before');
  const file = await cluster.manifest('whole.json', configMap('whole', { a: 'between' }));
  await cluster.run('replace', '-f', file);
  const edited = await cluster.kubectl(['edit', 'configmap', 'whole'], {
    env: { KUBE_EDITOR: 'sed -i s/between/after/' },
  });
  expect(edited.stdout).toBe('configmap/whole edited\n');
  expect(await field('.data.a', 'configmap', 'whole')).toBe('after');
});

test('a replace made from an old state is refused', async () => {
  await cluster.run('create', 'configmap', 'raced', '--from-literal=a=1');
  const old: unknown = JSON.parse(await cluster.run('get', 'configmap', 'raced', '-o', 'json'));
  await cluster.run('label', 'configmap', 'raced', 'newer=yes');
  const refused = await cluster.kubectl(['replace', '-f', await cluster.manifest('raced.json', Object(old))]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the object has been modified') });
});

test.each([
  ['a pod without containers', pod('empty', { containers: [] }), 'spec.containers: Required value'],
  ['a name that is none', configMap('Not_A_Name', {}), 'a lowercase RFC 1123 subdomain'],
  ['a pod with an unknown restart policy', pod('odd', { restartPolicy: 'Maybe' }), 'Unsupported value: "Maybe"'],
])('%s is refused with the reason', async (_, object, reason) => {
  const file = await cluster.manifest('refused.json', object);
  const refused = await cluster.kubectl(['create', '-f', file]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(reason) });
});

test('what is immutable stays as it is', async () => {
  const file = await cluster.manifest('frozen.json', { ...configMap('frozen', { a: '1' }), immutable: true });
  await cluster.run('create', '-f', file);
  const refused = await cluster.kubectl(['patch', 'configmap', 'frozen', '-p', '{"data":{"a":"2"}}']);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('field is immutable when `immutable` is set'),
  });
});

test('delete removes one, several by label, and all; a missing one is an error by default', async () => {
  for (const name of ['one', 'two', 'three']) await cluster.run('create', 'configmap', name, '-n', 'team');
  await cluster.run('label', 'configmap', 'two', 'kind=old', '-n', 'team');
  await cluster.run('delete', 'configmap', 'one', '-n', 'team');
  await cluster.run('delete', 'configmap', '-l', 'kind=old', '-n', 'team');
  expect(await cluster.run('get', 'configmaps', '-n', 'team', '-o', 'name')).toBe(
    'configmap/kube-root-ca.crt\nconfigmap/three\n',
  );
  expect((await cluster.kubectl(['delete', 'configmap', 'one', '-n', 'team'])).exitCode).toBe(1);
  expect((await cluster.kubectl(['delete', 'configmap', 'one', '-n', 'team', '--ignore-not-found'])).exitCode).toBe(0);
});

test('wait waits for a deletion and for a condition, and gives up in time', async () => {
  await cluster.run('create', 'configmap', 'leaving');
  const waiting = cluster.follow('wait', '--for=delete', 'configmap/leaving', '--timeout=20s', '-v=6');
  // What is gone before kubectl has looked for it, it calls not found.
  await expect.poll(waiting.printed, { timeout: 20_000 }).toContain('watch=true');
  await cluster.run('delete', 'configmap', 'leaving');
  expect(await waiting.ended).toBe(0);
  const never = await cluster.kubectl(['wait', '--for=condition=Ready', 'pod/merged', '--timeout=1s']);
  expect(never).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('timed out') });
});

test('a finalizer keeps an object until it is taken off', async () => {
  await cluster.run('create', 'configmap', 'held');
  await cluster.run('patch', 'configmap', 'held', '-p', '{"metadata":{"finalizers":["example.com/hold"]}}');
  await cluster.run('delete', 'configmap', 'held', '--wait=false');
  expect(await field('.metadata.deletionTimestamp', 'configmap', 'held')).not.toBe('');
  await cluster.run('patch', 'configmap', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
  expect((await cluster.kubectl(['get', 'configmap', 'held'])).exitCode).toBe(1);
});

test('deleting a namespace deletes what is in it, and the default one stays', async () => {
  await cluster.run('create', 'namespace', 'short-lived');
  await cluster.run('create', 'configmap', 'inside', '-n', 'short-lived');
  await cluster.run('delete', 'namespace', 'short-lived', '--timeout=20s');
  expect((await cluster.kubectl(['get', 'namespace', 'short-lived'])).exitCode).toBe(1);
  expect(await cluster.run('get', 'configmaps', '-A', '-o', 'name')).not.toContain('inside');
  expect((await cluster.kubectl(['delete', 'namespace', 'default'])).stderr).toContain('(Forbidden)');
});

test('dependents go with their owner', async () => {
  await cluster.run('create', 'configmap', 'owner');
  const uid = await field('.metadata.uid', 'configmap', 'owner');
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
  await cluster.run('create', 'configmap', 'dependent');
  await cluster.run(
    'patch',
    'configmap',
    'dependent',
    '-p',
    JSON.stringify({ metadata: { ownerReferences: [reference] } }),
  );
  await cluster.run('delete', 'configmap', 'owner');
  await expect
    .poll(async () => (await cluster.kubectl(['get', 'configmap', 'dependent'])).exitCode, { timeout: 10_000 })
    .toBe(1);
});
