import { isAtLeast, parseKubernetesVersion } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';

/** How pods of Windows nodes reach each other: Flannel in one of its two ways, or a plugin that is installed otherwise. */
export type PodNetwork = 'flannel-overlay' | 'flannel-host-gateway' | 'none';

/** The networks that can be asked for, in the order of the help. */
export const POD_NETWORKS: readonly PodNetwork[] = ['flannel-overlay', 'flannel-host-gateway', 'none'];

type ImageName = 'kube-proxy' | 'flannel';

/** What is wanted, already checked. */
export interface ManifestRequest {
  readonly version: KubernetesVersion;
  readonly network: PodNetwork;
  readonly hnsNetwork: string;
  readonly images: Readonly<Record<ImageName, string>>;
  readonly serviceSubnet: string;
  readonly podSubnet: string;
  /** Where nodes reach the API server without any service: `host:port`. */
  readonly apiServer: string;
  readonly policies: boolean;
  /** The historic way, by a program of the host that runs what containers ask for. */
  readonly wins: boolean;
}

/** A version of Kubernetes, with its `v`: `v1.33.1`. */
export type KubernetesVersion = string;

/** The newest version whose schemas the manifests are checked against; what is written for it suits later ones too. */
export const NEWEST_CHECKED: KubernetesVersion = 'v1.36.0';

/** HostProcess pods need no feature gate since this minor version. */
const HOST_PROCESS = 23;
/** Pods are given the cluster's CA as a ConfigMap since this minor version. */
const CA_FOR_PODS = 20;

/** Takes a version, whole or `1.33`, and refuses one in whose time these pods could not run. */
export function supportedVersion(text: string, { wins }: { readonly wins: boolean }): KubernetesVersion {
  const version = parseVersion(text);
  if (!isAtLeast(version, wins ? CA_FOR_PODS : HOST_PROCESS)) throw tooOld(version, wins);
  return version;
}

function parseVersion(text: string): KubernetesVersion {
  const whole = /^v?\d+\.\d+$/.test(text) ? `${text}.0` : text;
  try {
    return parseKubernetesVersion(whole).text;
  } catch (cause) {
    throw new OperatorError('USAGE', `Cannot read "${text}" as a version of Kubernetes`, {
      hint: 'Give one such as "1.33" or "v1.33.1".',
      cause,
    });
  }
}

function tooOld(version: KubernetesVersion, wins: boolean): OperatorError {
  const message = wins
    ? `Cannot make manifests for Kubernetes ${version}: pods are given the cluster's CA since 1.${CA_FOR_PODS}`
    : `Cannot make manifests for Kubernetes ${version}: HostProcess pods are there since 1.${HOST_PROCESS}`;
  const hint = wins
    ? 'Upgrade the cluster.'
    : 'Upgrade the cluster, or give "--wins" for the historic way, which is less safe.';
  return new OperatorError('NOT_SUPPORTED', message, { hint });
}

type Images = Readonly<Record<ImageName, string>>;

/** An image without programs: kube-proxy is the node's own, and is replaced together with the kubelet. */
const EMPTY_IMAGE = 'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0';

const NAMES: readonly ImageName[] = ['kube-proxy', 'flannel'];

/** The images of anyone who names none. */
export function defaultImages(version: KubernetesVersion, wins: boolean): Images {
  if (!wins) return { 'kube-proxy': EMPTY_IMAGE, flannel: 'sigwindowstools/flannel:v0.21.5-hostprocess' };
  return {
    'kube-proxy': `sigwindowstools/kube-proxy:${version}-nanoserver`,
    flannel: 'sigwindowstools/flannel:v0.13.0-nanoserver',
  };
}

/** Puts what `NAME=REFERENCE` says in place of the defaults. */
export function chooseImages(defaults: Images, choices: readonly string[]): Images {
  return { ...defaults, ...Object.fromEntries(choices.map(readChoice)) };
}

function readChoice(choice: string): readonly [ImageName, string] {
  const at = choice.indexOf('=');
  const name = NAMES.find((each) => each === choice.slice(0, Math.max(at, 0)));
  if (name === undefined)
    throw unusable(choice, `it does not start with ${NAMES.map((each) => `"${each}="`).join(' or ')}`);
  const reference = choice.slice(at + 1);
  if (!REFERENCE.test(reference)) throw unusable(choice, 'it names no image');
  return [name, reference];
}

const HOST = /[a-zA-Z0-9][a-zA-Z0-9.-]*(:[0-9]+)?/;
const PATH = /[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*/;
const TAG = /[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}/;
const DIGEST = /[a-z0-9]+:[a-f0-9]{32,}/;
/** See https://github.com/distribution/reference for the grammar. */
const REFERENCE = new RegExp(`^(${HOST.source}/)?${PATH.source}(:${TAG.source})?(@${DIGEST.source})?$`);

function unusable(choice: string, reason: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "--image ${choice}": ${reason}`, {
    hint: 'Give a name and a reference, such as "--image flannel=registry.example/flannel:v0.26.0".',
  });
}
