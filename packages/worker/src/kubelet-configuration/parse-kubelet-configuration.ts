import { OperatorError } from '@fenestra/kernel';
import { isMapping, type Mapping } from '@fenestra/contracts/reading';
import { tryReadYaml } from '@fenestra/contracts/kube';

/** Reads a `KubeletConfiguration` as it is: fields of newer versions stay. Throws `CONFIG_INVALID` for anything else. */
export function parseKubeletConfiguration(text: string): Mapping {
  return requireKubeletConfiguration(tryReadYaml(text));
}

/** Refuses what is no `KubeletConfiguration` (any more). */
export function requireKubeletConfiguration(config: unknown): Mapping {
  if (!isMapping(config)) throw unusable('it is not a YAML mapping');
  if (config['kind'] !== 'KubeletConfiguration') throw unusable('its "kind" must be "KubeletConfiguration"');
  if (!String(config['apiVersion']).startsWith('kubelet.config.k8s.io/')) {
    throw unusable('its "apiVersion" must begin with "kubelet.config.k8s.io/"');
  }
  return config;
}

/** The kubelet's configuration cannot be used as the cluster has it, or as a patch has left it. */
export function unusable(reason: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot use the kubelet's configuration: ${reason}`, {
    hint: 'Look at "kubectl -n kube-system get configmap kubelet-config -o yaml", and at your patches.',
  });
}
