import { isIPv4 } from 'node:net';
import { OperatorError } from '@fenestra/kernel';
import {
  manifestsYaml,
  POD_NETWORKS,
  readRequest,
  windowsManifests,
  type ManifestRequest,
} from '@fenestra/worker/manifests';
import type { ManifestCluster, AppliedManifest } from '@fenestra/worker/manifests/apply';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { noteLines } from '../../cli/findings-text.ts';
import { InputOption } from '../input-option.ts';
import { toPath, append } from '../lifecycle-options.ts';

interface ManifestFlags {
  readonly kubernetesVersion?: string;
  readonly network?: string;
  readonly hnsNetwork?: string;
  readonly image: readonly string[];
  readonly serviceSubnet?: string;
  readonly podSubnet?: string;
  readonly apiServer?: string;
  readonly policies: boolean;
  readonly wins: boolean;
  readonly kubeconfig?: string;
  readonly apply: boolean;
  readonly dryRun: boolean;
}

/** `keadm kube manifests`: what a cluster needs for its Windows nodes, printed or applied. */
export function manifestsCommand({ environment, deliver }: CommandContext): Command {
  return manifestOptions(new Command('manifests')).action(async (flags: ManifestFlags) => {
    requireFitting(flags);
    deliver(await manifests(environment, flags));
  });
}

function manifestOptions(command: Command): Command {
  return command
    .description('Print or apply the manifests that Windows nodes need: kube-proxy, Flannel, policies')
    .option(
      '--kubernetes-version <version>',
      'version of the cluster (default: that of the "--kubeconfig" cluster, else the newest known)',
    )
    .option('--network <kind>', `${POD_NETWORKS.join(', ')} (default: ${POD_NETWORKS[0]})`)
    .option(
      '--hns-network <name>',
      'with "--network none": name of the network that another plugin makes (default: Calico)',
    )
    .option('--image <name=reference>', 'replace the image of kube-proxy or flannel', append, [])
    .option('--service-subnet <subnet>', 'subnet of services (default: 10.96.0.0/12)')
    .option('--pod-subnet <subnet>', 'subnet of pods (default: 10.244.0.0/16)')
    .option('--api-server <host:port>', 'API server endpoint for nodes (default: that of the "--kubeconfig" cluster)')
    .option('--policies', 'deny HostProcess pods and host pipes to all other workloads', false)
    .option('--wins', 'use wins instead of HostProcess pods; insecure, only for Kubernetes before 1.23', false)
    .addOption(new InputOption('--kubeconfig <file>', 'kubeconfig of the cluster').argParser(toPath))
    .option('--apply', 'apply the manifests to that cluster instead of printing them', false)
    .option('--dry-run', 'with "--apply": validate the manifests on the server and change nothing', false);
}

function requireFitting({ apply, dryRun, kubeconfig }: ManifestFlags): void {
  if (apply && kubeconfig === undefined) {
    throw new OperatorError('USAGE', 'Cannot apply manifests without a cluster', { hint: 'Give "--kubeconfig FILE".' });
  }
  if (dryRun && !apply) {
    throw new OperatorError('USAGE', 'Cannot use "--dry-run" without "--apply": printing changes nothing', {
      hint: 'Remove "--dry-run", or add "--apply".',
    });
  }
}

async function manifests(environment: KeadmEnvironment, flags: ManifestFlags): Promise<CommandResult> {
  if (flags.kubeconfig === undefined) return printed(environment, requestOf(flags, {}));
  const { openManifestCluster } = await environment.loadCloud();
  const cluster = await openManifestCluster(flags.kubeconfig);
  try {
    const request = requestOf(flags, await askCluster(cluster, flags, environment.signal));
    if (!flags.apply) return printed(environment, request);
    return await applied(environment, request, cluster, flags.dryRun);
  } finally {
    cluster.close();
  }
}

interface ClusterFacts {
  readonly version?: string;
  readonly apiServer?: string;
}

async function askCluster(cluster: ManifestCluster, flags: ManifestFlags, signal: AbortSignal): Promise<ClusterFacts> {
  return {
    ...(flags.kubernetesVersion === undefined ? { version: await cluster.version(signal) } : {}),
    ...(flags.apiServer === undefined ? { apiServer: nodesAddress(cluster.server) } : {}),
  };
}

function requestOf(flags: ManifestFlags, { version, apiServer }: ClusterFacts): ManifestRequest {
  return readRequest({
    version: flags.kubernetesVersion ?? version,
    network: flags.network,
    hnsNetwork: flags.hnsNetwork,
    images: flags.image,
    serviceSubnet: flags.serviceSubnet,
    podSubnet: flags.podSubnet,
    apiServer: flags.apiServer ?? apiServer,
    policies: flags.policies,
    wins: flags.wins,
  });
}

/** As JSON they are a list that `kubectl apply` takes as well. */
function printed({ terminal }: KeadmEnvironment, request: ManifestRequest): CommandResult {
  const made = windowsManifests(request);
  terminal.err(noteLines(made.notes));
  return success({ apiVersion: 'v1', kind: 'List', items: made.objects }, manifestsYaml(request, made).trimEnd());
}

async function applied(
  { terminal, signal }: KeadmEnvironment,
  request: ManifestRequest,
  cluster: ManifestCluster,
  dryRun: boolean,
): Promise<CommandResult> {
  const { objects, notes } = windowsManifests(request);
  terminal.err(noteLines(notes));
  const changes = await cluster.apply(objects, dryRun, signal);
  return success({ version: request.version, dryRun, notes, objects: changes }, appliedText(changes, dryRun));
}

/** What was, or would be, done to every object. */
export function appliedText(changes: readonly AppliedManifest[], dryRun: boolean): string {
  const lines = changes.map(
    ({ action, kind, namespace, name }) =>
      `${action.padEnd(9)}  ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
  );
  const changed = changes.filter(({ action }) => action !== 'unchanged').length;
  return [
    ...lines,
    dryRun ? 'The server accepts all objects; nothing was changed' : `${changed} of ${changes.length} objects changed`,
  ].join('\n');
}

/** `host:port` of a server that nodes can use; a kubeconfig may name one that only this machine reaches. */
export function nodesAddress(server: string): string {
  const { protocol, hostname, port } = new URL(server);
  if (protocol === 'https:' && !isLoopback(hostname)) return `${hostname}:${port || '443'}`;
  throw new OperatorError('USAGE', `Cannot use "${server}" for Windows nodes: it is reachable from this machine only`, {
    hint: 'Give the address that nodes use with "--api-server HOST:PORT".',
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
