import type { FieldProblem } from '@fenestra/contracts/reading';
import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { readObject } from '../../reading/read-object.ts';
import { NodePoolConfig, POOL_PROVIDERS } from './schema.ts';

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

/** What fields mean together. */
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
  return [...missing, ...idle.map((path) => ({ path, message: `is of no use: the provider is "${provider}"` }))];
}

/** The labels that a kubelet may set on its node; see https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction. */
const OWN_LABELS = [
  'kubelet.kubernetes.io/',
  'node.kubernetes.io/',
  'topology.kubernetes.io/',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/hostname',
];

function labelProblems({ labels = {} }: PoolParts): readonly FieldProblem[] {
  return Object.keys(labels)
    .filter((key) => /(^|\.)(kubernetes|k8s)\.io\//.test(key) && !OWN_LABELS.some((own) => key.startsWith(own)))
    .map((key) => ({
      path: `labels.${key}`,
      message: 'is a label that a node may not give itself: the kubelet would not start',
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
    'register-with-taints': 'would take the place of the taint of Cluster API: use "taints"',
    'node-labels': 'is made of "labels": use that',
  };
  return Object.entries(own)
    .filter(([key]) => key in kubeletExtraArgs)
    .map(([key, message]) => ({ path: `kubeletExtraArgs.${key}`, message }));
}
