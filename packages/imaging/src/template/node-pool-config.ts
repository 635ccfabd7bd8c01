import { type FieldProblem, labelName, labels, labelValue, positive, textList } from '@fenestra/contracts/reading';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { readObject } from '../read-object.ts';

const POOL_PROVIDERS = ['azure', 'aws', 'vsphere'] as const;
export type PoolProvider = (typeof POOL_PROVIDERS)[number];

const filledText = z.string().check(z.minLength(1));
const label = filledText.check(
  z.regex(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    'must be at most 63 lower-case letters, digits and dashes, with no dash at either end',
  ),
);

const poolTaint = z.object({
  key: labelName,
  value: z.optional(labelValue),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
});

const azure = z.object({
  vmSize: filledText,
  /** The id of an image; Azure's own of the server's year where it is left out. */
  imageId: z.optional(filledText),
  diskGiB: z.optional(positive),
});

const aws = z.object({
  instanceType: filledText,
  amiId: filledText.check(z.regex(/^ami-[0-9a-f]+$/, 'must be the id of an image, such as "ami-0123456789abcdef0"')),
  iamInstanceProfile: z.optional(filledText),
  sshKeyName: z.optional(filledText),
  diskGiB: z.optional(positive),
});

const vsphere = z.object({
  server: filledText,
  datacenter: filledText,
  datastore: filledText,
  folder: z.optional(filledText),
  resourcePool: z.optional(filledText),
  network: filledText,
  /** The template that machines are cloned from. */
  template: filledText,
  thumbprint: z.optional(filledText),
  cpus: z.optional(positive),
  memoryMiB: z.optional(positive),
  diskGiB: z.optional(positive),
});

/** How pods reach each other, as `keadm kube manifests` takes it. */
const network = z.object({
  plugin: z.optional(filledText),
  hnsNetwork: z.optional(filledText),
  podSubnet: z.optional(filledText),
  serviceSubnet: z.optional(filledText),
  /** Where nodes reach the API server. */
  apiServer: filledText,
  policies: z.optional(z.boolean()),
});

/** A pool of Windows nodes, as its file says it. */
export const NodePoolConfig = z.object({
  apiVersion: z.literal('fenestra.dev/v1'),
  kind: z.literal('WindowsNodePool'),
  name: label,
  cluster: label,
  namespace: z.optional(label),
  provider: z.enum(POOL_PROVIDERS),
  replicas: z.optional(z.int().check(z.minimum(0), z.maximum(1000))),
  kubernetesVersion: filledText.check(
    z.regex(/^v\d+\.\d+\.\d+([-+][-+.0-9A-Za-z]+)?$/, 'must be a full version, such as "v1.33.1"'),
  ),
  /** The year of Windows Server. */
  server: z.optional(z.enum(['2019', '2022', '2025'])),
  labels: z.optional(labels),
  taints: z.optional(z.array(poolTaint)),
  /** Where short names are looked up. */
  dnsSuffix: z.optional(
    filledText.check(z.regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'must be a domain, such as "corp.example"')),
  ),
  sshKeys: z.optional(textList),
  preCommands: z.optional(textList),
  postCommands: z.optional(textList),
  kubeletExtraArgs: z.optional(z.record(z.string(), z.string())),
  azure: z.optional(azure),
  aws: z.optional(aws),
  vsphere: z.optional(vsphere),
  /** Left out: what pods need is installed otherwise. */
  network: z.optional(network),
});
export type NodePoolConfig = z.infer<typeof NodePoolConfig>;

/** The files of `docs/reference` about pools of nodes, by name. */
export function nodePoolReferenceFiles(): ReadonlyMap<string, string> {
  const { $schema, ...schema } = z.toJSONSchema(NodePoolConfig, { io: 'input', reused: 'inline' });
  const json = JSON.stringify({ $schema, title: 'The file of keadm capi template', ...schema }, undefined, 2);
  return new Map([['node-pool.schema.json', `${json}\n`]]);
}

const HINT = 'Correct the lines above; "keadm capi template --example" prints a file to start from.';

/** Reads the file that describes a pool of nodes. Throws one `CONFIG_INVALID` with every problem and its line. */
export function readNodePool(text: string, fileName: string): NodePoolConfig {
  return readObject(text, fileName, { schema: NodePoolConfig, check: checkNodePool, hint: HINT });
}

const Parts = z.object({
  provider: orElse(z.optional(z.enum(POOL_PROVIDERS)), undefined),
  azure: z.optional(z.unknown()),
  aws: z.optional(z.unknown()),
  vsphere: z.optional(z.unknown()),
  labels: orElse(z.optional(z.record(z.string(), z.unknown())), undefined),
  taints: orElse(z.optional(z.array(z.object({ key: z.string(), effect: z.string() }))), undefined),
  kubeletExtraArgs: orElse(z.optional(z.record(z.string(), z.unknown())), undefined),
});

function checkNodePool(given: unknown): readonly FieldProblem[] {
  const parts = z.safeParse(Parts, given);
  if (!parts.success) return [];
  return [providerProblems, labelProblems, taintProblems, argumentProblems].flatMap((problems) => problems(parts.data));
}

type PoolParts = z.infer<typeof Parts>;

function providerProblems(parts: PoolParts): readonly FieldProblem[] {
  const { provider } = parts;
  if (provider === undefined) return [];
  const missing =
    parts[provider] === undefined ? [{ path: provider, message: 'is required: it describes the machines' }] : [];
  const idle = POOL_PROVIDERS.filter((each) => each !== provider && parts[each] !== undefined);
  return [...missing, ...idle.map((path) => ({ path, message: `is not used: the provider is "${provider}"` }))];
}

/** The labels that a kubelet may set on its node; see https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction. */
const OWN_LABELS = [
  'kubelet.kubernetes.io/',
  'node.kubernetes.io/',
  'topology.kubernetes.io/',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/hostname',
];

function labelProblems({ labels: given = {} }: PoolParts): readonly FieldProblem[] {
  return Object.keys(given)
    .filter((key) => /(^|\.)(kubernetes|k8s)\.io\//.test(key) && !OWN_LABELS.some((own) => key.startsWith(own)))
    .map((key) => ({
      path: `labels.${key}`,
      message: 'is a label that a node may not set on itself: the kubelet would not start',
    }));
}

/** The API server takes no node that has the same taint twice. */
function taintProblems({ taints = [] }: PoolParts): readonly FieldProblem[] {
  return taints.flatMap(({ key, effect }, index) => {
    const first = taints.findIndex((taint) => taint.key === key && taint.effect === effect);
    return first === index ? [] : [{ path: `taints[${index}]`, message: `is "${key}:${effect}" once more` }];
  });
}

function argumentProblems({ kubeletExtraArgs = {} }: PoolParts): readonly FieldProblem[] {
  const own: Readonly<Record<string, string>> = {
    'register-with-taints': 'would replace the taint of Cluster API: use "taints"',
    'node-labels': 'is made of "labels": use that',
  };
  return Object.entries(own)
    .filter(([key]) => key in kubeletExtraArgs)
    .map(([key, message]) => ({ path: `kubeletExtraArgs.${key}`, message }));
}
