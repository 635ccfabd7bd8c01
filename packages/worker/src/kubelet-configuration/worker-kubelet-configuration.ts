import type { NodeOs } from '@fenestra/contracts';
import { applyPatches, KUBELET_TARGET, kubeYaml, type Patch, tryReadYaml } from '@fenestra/contracts/kube';
import { isMapping, type Mapping, portOrNone } from '@fenestra/contracts/reading';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { versionTraits } from '../version-traits.ts';
import { valueIn, withKubeadmDefaults, withoutUnusableFields, withPathsOnDrive } from './adapt-configuration.ts';
import type { ClusterConfiguration } from './cluster-configuration.ts';

/** What a worker's kubelet configuration is made of. */
export interface KubeletConfigurationSource {
  /** What the cluster has for its kubelets: the key `kubelet` of the ConfigMap. */
  readonly text: string;
  readonly os: NodeOs;
  readonly drive?: string | undefined;
  readonly cluster: ClusterConfiguration;
  readonly version: string;
  readonly criSocket: string;
  readonly patches?: readonly Patch[];
  /** The resolver's file where the cluster names none: systemd's, if it runs. */
  readonly resolver?: string | undefined;
}

/** A worker's kubelet configuration and what follows from it. */
export interface WorkerKubeletConfiguration {
  /** `config.yaml`. */
  readonly text: string;
  /** `instance-config.yaml`; `undefined` where the version has none. */
  readonly instanceConfig: string | undefined;
  /** What was taken out or changed, to be shown to the operator. */
  readonly warnings: readonly string[];
  /** Where the kubelet says that it is well; port 0 if it does not. */
  readonly healthz: { readonly address: string; readonly port: number };
  /** Where the kubelet looks for the cluster's CA: the file must be there. */
  readonly clientCaFile: string;
  readonly staticPodPath: string;
}

/**
 * The kubelet's configuration for this machine, from the one the cluster has for all: filled up as kubeadm does, fitted to
 * the system, patched, and freed of what would stop the kubelet. Throws `CONFIG_INVALID` for what cannot be used.
 */
export function workerKubeletConfiguration(source: KubeletConfigurationSource): WorkerKubeletConfiguration {
  const traits = versionTraits(source.version, source.cluster.featureGates);
  const defaulted = withKubeadmDefaults(parseKubeletConfiguration(source.text), source.cluster, traits);
  const fitted = fittedTo(source, defaulted.config);
  const patched = requireKubeletConfiguration(applyPatches(fitted, KUBELET_TARGET, source.patches ?? []));
  const usable = withoutUnusableFields(patched, source.os, traits);
  const local = traits.nodeLocalCriSocket ? { containerRuntimeEndpoint: source.criSocket } : {};
  const config = { ...usable.config, ...local };
  return {
    text: kubeYaml(config),
    instanceConfig: traits.nodeLocalCriSocket ? instanceConfigText(source.criSocket) : undefined,
    warnings: [...defaulted.warnings, ...usable.warnings],
    ...factsOf(config),
  };
}

/** Windows has no resolver file, which must be said: a kubelet that finds nothing there looks for Linux's. */
function fittedTo({ os, drive = 'C:', resolver }: KubeletConfigurationSource, config: Mapping): Mapping {
  if (os === 'windows') return withPathsOnDrive({ ...config, resolvConf: '' }, drive);
  const isSet = typeof config['resolvConf'] === 'string' && config['resolvConf'] !== '';
  return isSet || resolver === undefined ? config : { ...config, resolvConf: resolver };
}

const Facts = z.object({
  healthzBindAddress: z.optional(z.string()),
  healthzPort: z.optional(portOrNone),
  staticPodPath: z.optional(z.string()),
  authentication: z.object({ x509: z.object({ clientCAFile: z.string() }) }),
});

function factsOf(config: Mapping): Pick<WorkerKubeletConfiguration, 'healthz' | 'clientCaFile' | 'staticPodPath'> {
  const facts = z.safeParse(Facts, config);
  if (!facts.success) throw unusable(`"${facts.error.issues[0]?.path.join('.')}" is not as expected`);
  const { healthzBindAddress: address = '', healthzPort: port = 10_248, authentication } = facts.data;
  return {
    healthz: { address: ANY_ADDRESS.get(address) ?? address, port },
    clientCaFile: authentication.x509.clientCAFile,
    staticPodPath: facts.data.staticPodPath ?? '',
  };
}

/** Who listens on every address is asked on the machine's own. */
const ANY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Reads a `KubeletConfiguration` as it is: fields of newer versions stay. Throws `CONFIG_INVALID` for anything else. */
function parseKubeletConfiguration(text: string): Mapping {
  return requireKubeletConfiguration(tryReadYaml(text));
}

function requireKubeletConfiguration(config: unknown): Mapping {
  if (!isMapping(config)) throw unusable('it is not a YAML mapping');
  if (config['kind'] !== 'KubeletConfiguration') throw unusable('its "kind" must be "KubeletConfiguration"');
  if (!String(config['apiVersion']).startsWith('kubelet.config.k8s.io/')) {
    throw unusable('its "apiVersion" must begin with "kubelet.config.k8s.io/"');
  }
  return config;
}

function unusable(reason: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot use the kubelet's configuration: ${reason}`, {
    hint: 'Look at "kubectl -n kube-system get configmap kubelet-config -o yaml", and at your patches.',
  });
}

const ENDPOINT = 'containerRuntimeEndpoint';

/** `instance-config.yaml`: what is true of this machine alone. */
function instanceConfigText(criSocket: string): string {
  return kubeYaml({ [ENDPOINT]: criSocket });
}

/** The container runtime an `instance-config.yaml` names; `undefined` if it names none, or is no such file. */
export function readInstanceConfig(text: string): string | undefined {
  const endpoint = valueIn(tryReadYaml(text), [ENDPOINT]);
  return typeof endpoint === 'string' && endpoint !== '' ? endpoint : undefined;
}
