import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';

let cluster: Cluster;

const SCHEMA = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
        port: { 'x-kubernetes-int-or-string': true },
        extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Colour', type: 'string', jsonPath: '.spec.colour', priority: 1 },
        ],
        schema: { openAPIV3Schema: SCHEMA },
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

function widget(name: string, spec: object, version = 'v1'): object {
  return { apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { name }, spec };
}

async function apply(
  name: string,
  object: object,
  ...flags: readonly string[]
): Promise<Awaited<ReturnType<Cluster['kubectl']>>> {
  return cluster.kubectl(['apply', ...flags, '-f', await cluster.manifest(`${name}.json`, object)]);
}

beforeAll(async () => {
  cluster = await startCluster(new AbortController().signal);
  await cluster.run('apply', '-f', await cluster.manifest('crd.json', DEFINITION));
  await cluster.run('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=10s');
});
afterAll(async () => {
  expect(cluster.complaints).toEqual([]);
  await cluster.stop();
});

test('a custom resource is served at once, with its defaults and columns', async () => {
  const applied = await apply('first', widget('first', { size: 3, port: 'http', extra: { any: { thing: 1 } } }));
  expect(applied.stdout).toBe('widget.example.com/first created\n');
  expect(await cluster.run('get', 'widgets')).toMatch(/NAME +SIZE +READY\nfirst +3 +\n/);
  expect(await cluster.run('get', 'wd', '-o', 'wide')).toMatch(/first +3 +red/);
  expect(await cluster.run('get', 'wd', 'first', '-o', 'jsonpath={.spec.extra.any.thing}')).toBe('1');
  expect(await cluster.run('describe', 'widget', 'first')).toMatch(/Kind: +Widget/);
  expect(await cluster.run('api-resources', '--api-group=example.com')).toMatch(
    /widgets +wd +example\.com\/v1 +true +Widget/,
  );
  expect(await cluster.run('explain', 'widget.spec')).toMatch(/size\t<integer> -required-/);
});

test('a custom resource that breaks its schema is refused with every reason', async () => {
  const refused = await apply('broken', widget('broken', { size: 30, colour: 'blue' }));
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(
    'spec.size: Invalid value: 30: spec.size in body should be less than or equal to 10',
  );
  expect(refused.stderr).toContain('spec.colour: Unsupported value: "blue": supported values: "red", "green"');
  const wrongType = await apply('broken', widget('broken', { size: 'big' }), '--validate=false');
  expect(wrongType.stderr).toContain('spec.size in body must be of type integer: "string"');
  const missing = await apply('broken', widget('broken', {}), '--validate=false');
  expect(missing.stderr).toContain('spec.size: Required value');
});

test('kubectl itself finds a misspelled field, and the server drops it', async () => {
  const refused = await apply('typo', widget('typo', { size: 1, sise: 2 }));
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('unknown field "sise"') });
  await apply('typo', widget('typo', { size: 1, sise: 2 }), '--validate=false');
  expect(JSON.parse(await cluster.run('get', 'wd', 'typo', '-o', 'jsonpath={.spec}'))).toEqual({
    size: 1,
    colour: 'red',
  });
});

test('patch, label, server-side apply and watch work on custom resources', async () => {
  await cluster.run('patch', 'wd', 'first', '--type=merge', '-p', '{"spec":{"size":5}}');
  expect((await cluster.kubectl(['patch', 'wd', 'first', '-p', '{"spec":{"size":6}}'])).stderr).toContain(
    'UnsupportedMediaType',
  );
  await cluster.run('label', 'wd', 'first', 'tier=front');
  expect((await apply('second', widget('second', { size: 1 }), '--server-side')).stdout).toContain(
    'serverside-applied',
  );
  expect(await cluster.run('get', 'wd', '-l', 'tier=front', '-o', 'name')).toBe('widget.example.com/first\n');
  expect(await cluster.run('get', 'wd', 'first', '-o', 'jsonpath={.metadata.generation}')).toBe('2');
});

test('status is apart: only its own subresource writes it', async () => {
  const withStatus = { ...widget('apart', { size: 2 }), status: { phase: 'Done' } };
  await apply('apart', withStatus);
  expect(await cluster.run('get', 'wd', 'apart', '-o', 'jsonpath={.status}')).toBe('');
  const path = '/apis/example.com/v1/namespaces/default/widgets/apart/status';
  const stored: unknown = JSON.parse(await cluster.run('get', '--raw', path));
  const file = await cluster.manifest('status.json', {
    ...Object(stored),
    spec: { size: 9 },
    status: { phase: 'Done' },
  });
  await cluster.run('replace', '--raw', path, '-f', file);
  expect(await cluster.run('get', 'wd', 'apart', '-o', 'jsonpath={.spec.size} {.status.phase}')).toBe('2 Done');
});

test('every served version shows the same objects', async () => {
  expect(await cluster.run('get', 'widgets.v1beta1.example.com', 'first', '-o', 'jsonpath={.apiVersion}')).toBe(
    'example.com/v1beta1',
  );
});

test.each([
  ['without a storage version', { versions: [{ ...DEFINITION.spec.versions[0], storage: false }] }, 'storage version'],
  [
    'with a schema that is none',
    {
      versions: [
        {
          ...DEFINITION.spec.versions[0],
          schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'nonsense' } } } },
        },
      ],
    },
    'openAPIV3Schema',
  ],
  ['for a group of the API itself', { group: 'certificates.k8s.io' }, 'spec.group'],
])('a definition %s is refused', async (_, change, reason) => {
  const spec = { ...DEFINITION.spec, ...change };
  const refused = await apply('bad', { ...DEFINITION, metadata: { name: `widgets.${spec.group}` }, spec });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(reason) });
});

test('after a restart the definition is in force and its objects are there', async () => {
  await cluster.restart();
  expect(await cluster.run('get', 'widgets', '-o', 'name')).toContain('widget.example.com/first\n');
  const refused = await apply('broken', widget('broken', { size: 11 }));
  expect(refused.stderr).toContain('should be less than or equal to 10');
});

test('deleting the definition deletes its objects and stops serving them', async () => {
  await cluster.run('delete', 'crd', 'widgets.example.com', '--timeout=20s');
  expect((await cluster.kubectl(['get', 'widgets'])).exitCode).toBe(1);
  await cluster.run('apply', '-f', await cluster.manifest('crd.json', DEFINITION));
  await expect.poll(async () => cluster.run('get', 'widgets', '-o', 'name'), { timeout: 10_000 }).toBe('');
});
