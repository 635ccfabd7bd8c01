import { labelName, labels, labelValue, positive, textList } from '@fenestra/contracts/reading';
import * as z from 'zod/mini';

/** The providers of infrastructure that a pool can be made with. */
export const POOL_PROVIDERS = ['azure', 'aws', 'vsphere'] as const;
export type PoolProvider = (typeof POOL_PROVIDERS)[number];

const text = z.string().check(z.minLength(1));
const label = text.check(
  z.regex(
    /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    'must be at most 63 lower-case letters, digits and dashes, with no dash at either end',
  ),
);

const taint = z.object({
  key: labelName,
  value: z.optional(labelValue),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
});

const azure = z.object({
  vmSize: text,
  /** The id of an image; Azure's own of the server's year where it is left out. */
  imageId: z.optional(text),
  diskGiB: z.optional(positive),
});

const aws = z.object({
  instanceType: text,
  amiId: text.check(z.regex(/^ami-[0-9a-f]+$/, 'must be the id of an image, such as "ami-0123456789abcdef0"')),
  iamInstanceProfile: z.optional(text),
  sshKeyName: z.optional(text),
  diskGiB: z.optional(positive),
});

const vsphere = z.object({
  server: text,
  datacenter: text,
  datastore: text,
  folder: z.optional(text),
  resourcePool: z.optional(text),
  network: text,
  /** The template that machines are cloned from. */
  template: text,
  thumbprint: z.optional(text),
  cpus: z.optional(positive),
  memoryMiB: z.optional(positive),
  diskGiB: z.optional(positive),
});

/** How pods reach each other, as `keadm kube manifests` takes it. */
const network = z.object({
  plugin: z.optional(text),
  hnsNetwork: z.optional(text),
  podSubnet: z.optional(text),
  serviceSubnet: z.optional(text),
  /** Where nodes reach the API server. */
  apiServer: text,
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
  kubernetesVersion: text.check(
    z.regex(/^v\d+\.\d+\.\d+([-+][-+.0-9A-Za-z]+)?$/, 'must be a whole version, such as "v1.33.1"'),
  ),
  /** The year of Windows Server. */
  server: z.optional(z.enum(['2019', '2022', '2025'])),
  labels: z.optional(labels),
  taints: z.optional(z.array(taint)),
  /** Where short names are looked up. */
  dnsSuffix: z.optional(
    text.check(z.regex(/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/, 'must be a domain, such as "corp.example"')),
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
