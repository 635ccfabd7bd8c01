import type { Json } from '@fenestra/kernel';
import { stringify } from 'yaml';
import type { HttpInput } from '../../support/security/http-fuzz.ts';
import { hostileText, mutateBytes, mutateJson } from '../../support/security/mutate.ts';
import type { Random } from '../../support/security/random.ts';

/** The namespace that an authorised user of the embedded API writes to. */
export const FUZZ_NAMESPACE = 'fuzz';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const READ_QUERIES = ['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch'];
const WRITE_QUERIES = ['dryRun', 'fieldManager', 'force', 'fieldValidation', 'propagationPolicy', 'gracePeriodSeconds'];
const GOOD_VALUES = [
  'a=b',
  'metadata.name=a',
  '1',
  '0',
  'true',
  'All',
  'Strict',
  'test',
  'spec.nodeName=x,metadata.name=a',
];
const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const BODY_TYPES = [JSON_TYPE, JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE, 'text/plain'];
const PATCH_TYPES = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
const ACCEPTED = [
  JSON_TYPE,
  JSON_TYPE,
  JSON_TYPE,
  '*/*',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  PROTOBUF_TYPE,
  'text/html',
];

const READ_PATHS = [
  '/api',
  '/apis',
  '/version',
  '/readyz',
  '/openapi/v3',
  '/api/v1/nodes',
  '/api/v1/pods',
  '/api/v1/secrets',
  '/api/v1/events',
  '/api/v1/namespaces/kubeedge/secrets',
  '/api/v1/namespaces/kube-system/configmaps',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
];

const PROTOBUF_PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
const PROTOBUF_SECRET = Buffer.concat([
  PROTOBUF_PREFIX,
  Buffer.from('0a0c0a0276311206536563726574121c0a0c0a0161120022001a002a003200120a0a01611205686572657a00', 'hex'),
]);

interface Sample {
  readonly path: string;
  readonly body: Record<string, Json>;
}

const metadata = (name: string): Json => ({ name, namespace: FUZZ_NAMESPACE, labels: { a: 'b' } });
const inCore = (plural: string): string => `/api/v1/namespaces/${FUZZ_NAMESPACE}/${plural}`;

const CONTAINER = {
  name: 'main',
  image: 'none',
  ports: [{ containerPort: 80, protocol: 'TCP' }],
  env: [{ name: 'A', value: 'b' }],
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
  resources: { requests: { cpu: '100m', memory: '1Gi' } },
};

const SAMPLES: readonly Sample[] = [
  { path: inCore('configmaps'), body: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } } },
  { path: inCore('secrets'), body: { apiVersion: 'v1', kind: 'Secret', data: { a: 'YQ==' } } },
  {
    path: inCore('pods'),
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { nodeName: 'x', containers: [CONTAINER], volumes: [{ name: 'v', secret: { secretName: 'a' } }] },
    },
  },
  { path: inCore('serviceaccounts'), body: { apiVersion: 'v1', kind: 'ServiceAccount' } },
  {
    path: inCore('services'),
    body: { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }], selector: { a: 'b' } } },
  },
  { path: inCore('events'), body: { apiVersion: 'v1', kind: 'Event', involvedObject: { kind: 'Pod', name: 'a' } } },
  {
    path: `/apis/coordination.k8s.io/v1/namespaces/${FUZZ_NAMESPACE}/leases`,
    body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { holderIdentity: 'a' } },
  },
  {
    path: `/apis/fuzz.example/v1/namespaces/${FUZZ_NAMESPACE}/widgets`,
    body: { apiVersion: 'fuzz.example/v1', kind: 'Widget', spec: { text: 'aaaa', list: [{ name: 'a' }] } },
  },
];

const DEFINITION: Sample = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  body: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.fuzz.example' },
    spec: {
      group: 'fuzz.example',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    text: { type: 'string', pattern: '^(a+)+$' },
                    list: { type: 'array', items: { type: 'object' } },
                  },
                },
              },
            },
          },
        },
      ],
    },
  },
};

/** Small bodies that cost a careless server seconds or gigabytes. */
const EXPENSIVE_BODIES: readonly Buffer[] = [
  '['.repeat(500_000),
  `{"a":${'{"a":'.repeat(100_000)}`,
  JSON.stringify({ spec: { containers: keyedList(20_000) } }),
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('a'),
    spec: { containers: [{ ...CONTAINER, env: keyedList(20_000) }] },
  }),
  JSON.stringify([{ op: 'add', path: '/data/a', value: 'x'.repeat(1_000) }, ...copies(40)]),
  `a: &a [x,x,x,x,x,x,x,x]\n${aliases(12)}`,
  Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join('\n'),
  'a: '.repeat(50_000),
].map((text) => Buffer.from(text));

function keyedList(length: number): readonly Json[] {
  return Array.from({ length }, (_, index) => ({ name: `n${index}`, value: 'v' }));
}

/** Each doubles what the one before has made. */
function copies(count: number): readonly Json[] {
  return Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/c${index}` }));
}

/** Each line holds the one before eight times. */
function aliases(depth: number): string {
  return Array.from({ length: depth }, (_, index) => {
    const [own, before] = [String.fromCodePoint(98 + index), String.fromCodePoint(97 + index)];
    return `${own}: &${own} [${Array.from({ length: 8 }, () => `*${before}`).join(',')}]`;
  }).join('\n');
}

/** A request that reads: anyone may send it, not everyone gets an answer. */
export function readingInput(random: Random): HttpInput {
  const sample = random.pick(SAMPLES);
  const plain = random.chance(0.5) ? random.pick(READ_PATHS) : sample.path;
  const name = random.chance(0.3) ? `/${random.chance(0.5) ? random.pick(NAMES) : hostileText(random)}` : '';
  const watch = random.chance(0.01) ? '&watch=true&timeoutSeconds=1' : '';
  return {
    method: 'GET',
    path: `${plain}${name}?${queryOf(random, READ_QUERIES)}${watch}`,
    headers: { Accept: random.pick(ACCEPTED) },
  };
}

/** A request that writes below the namespace for it, or defines a kind. */
export function writingInput(random: Random): HttpInput {
  const sample = random.chance(0.05) ? DEFINITION : random.pick(SAMPLES);
  const name = sample === DEFINITION ? 'widgets.fuzz.example' : random.pick(NAMES);
  const named = { ...sample.body, metadata: sample.body['metadata'] ?? metadata(name) };
  const query = queryOf(random, WRITE_QUERIES);
  const method = random.pick(['POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE']);
  const path = method === 'POST' ? sample.path : `${sample.path}/${name}`;
  const type = method === 'PATCH' ? `application/${random.pick(PATCH_TYPES)}` : random.pick(BODY_TYPES);
  const document = type.endsWith('json-patch+json') ? patchOf(random) : named;
  const body = random.chance(0.005)
    ? random.pick(EXPENSIVE_BODIES)
    : bodyOf(random, type, mutateJson(random, document));
  return { method, path: `${path}?${query}`, headers: { 'Content-Type': type, Accept: random.pick(ACCEPTED) }, body };
}

function queryOf(random: Random, names: readonly string[]): string {
  const count = random.below(3);
  return Array.from({ length: count }, () => {
    const value = random.chance(0.5) ? random.pick(GOOD_VALUES) : hostileText(random);
    return `${random.pick(names)}=${encodeURIComponent(value.toWellFormed())}`;
  }).join('&');
}

function patchOf(random: Random): Json {
  const paths = ['/metadata', '/metadata/labels/a', '/spec', '/data/a', '/spec/containers/0/env/-', ''];
  return Array.from({ length: 1 + random.below(20) }, () => ({
    op: random.pick(['add', 'copy', 'move', 'replace', 'remove', 'test']),
    path: random.pick(paths),
    from: random.pick(paths),
    value: 'x',
  }));
}

function bodyOf(random: Random, type: string, value: Json): Buffer {
  if (type === PROTOBUF_TYPE) return mutateBytes(random, PROTOBUF_SECRET);
  const isYaml = type.includes('yaml') && random.chance(0.5);
  const text = Buffer.from(isYaml ? yamlText(value) : JSON.stringify(value));
  return random.chance(0.05) ? mutateBytes(random, text) : text;
}

/** The YAML library exhausts the stack on values of thousands of levels; JSON text is YAML too. */
function yamlText(value: Json): string {
  try {
    return stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return JSON.stringify(value);
    throw error;
  }
}
