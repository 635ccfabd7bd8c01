import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { tryReadYaml } from '@fenestra/contracts/kube';

/** What a kubeconfig says of a cluster. */
export interface ClusterEntry {
  readonly server: string;
  /** PEM; `undefined` where the file does not hold it itself. */
  readonly caBundle: string | undefined;
  /** Where the CA is if it is in its own file, as written. */
  readonly caFile: string | undefined;
  /** Whether the current user brings something to log in with. */
  readonly hasCredentials: boolean;
}

/** Where a cluster is and by which CA to know it. */
export interface ClusterEndpoint {
  readonly server: string;
  /** PEM. */
  readonly caBundle: string;
}

/** Reads the kubeconfig of a `cluster-info` ConfigMap. Throws `KUBECONFIG_INVALID` unless it has an address and a CA. */
export function readClusterInfo(kubeconfigText: string): ClusterEndpoint {
  const { server, caBundle } = readClusterEntry(kubeconfigText);
  if (caBundle === undefined) throw invalid('it has no CA of its cluster');
  return { server, caBundle };
}

/** Reads any kubeconfig as far as it says which cluster is meant: the one without a name, or the current context's. */
export function readClusterEntry(kubeconfigText: string): ClusterEntry {
  const config = parseKubeconfig(kubeconfigText);
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
  const entry =
    config.clusters.find(({ name }) => name === '') ?? config.clusters.find(({ name }) => name === context?.cluster);
  if (entry === undefined) throw invalid('it names no cluster');
  const user = config.users.find(({ name }) => name === context?.user)?.user;
  return {
    server: requireServer(entry.cluster.server),
    caBundle: caBundleOf(entry.cluster['certificate-authority-data']),
    caFile: entry.cluster['certificate-authority'],
    hasCredentials: Object.keys(user ?? {}).length > 0,
  };
}

function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.pipe(
    z.optional(z.nullable(z.array(item))),
    z.transform((items) => items ?? []),
  );
}

const absentIfEmpty = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((text) => (text === null || text === '' ? undefined : text)),
);

const name = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((text) => text ?? ''),
);

const Kubeconfig = z.object({
  'current-context': name,
  clusters: listOf(
    z.object({
      name,
      cluster: z.object({
        server: z.string(),
        'certificate-authority-data': absentIfEmpty,
        'certificate-authority': absentIfEmpty,
      }),
    }),
  ),
  contexts: listOf(z.object({ name, context: z.object({ cluster: name, user: name }) })),
  users: listOf(z.object({ name, user: z.optional(z.nullable(z.record(z.string(), z.unknown()))) })),
});

/** The cause is left out: it would quote the file, and with it a key. */
function parseKubeconfig(text: string): z.infer<typeof Kubeconfig> {
  const parsed = z.safeParse(Kubeconfig, tryReadYaml(text));
  if (!parsed.success) throw invalid('it is not a kubeconfig');
  return parsed.data;
}

function requireServer(server: string): string {
  if (URL.canParse(server) && new URL(server).protocol === 'https:') return server;
  throw invalid('the address of its cluster does not begin with "https://"');
}

function caBundleOf(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  const pem = Buffer.from(base64, 'base64').toString('utf8');
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw invalid('its CA is not a certificate');
  return pem;
}

function invalid(reason: string): OperatorError {
  return new OperatorError('KUBECONFIG_INVALID', `Cannot use the kubeconfig: ${reason}`, {
    hint: 'Check that it is the one of your cluster: "kubectl -n kube-public get configmap cluster-info -o yaml".',
  });
}
