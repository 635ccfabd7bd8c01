import { isAtLeast, parseKubernetesVersion } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';

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
