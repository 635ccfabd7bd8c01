import { kubeYaml, tryReadYaml } from '@fenestra/contracts/kube';
import { valueIn } from './path-in.ts';

const ENDPOINT = 'containerRuntimeEndpoint';

/** `instance-config.yaml`: what is true of this machine alone. */
export function instanceConfigText(criSocket: string): string {
  return kubeYaml({ [ENDPOINT]: criSocket });
}

/** The container runtime an `instance-config.yaml` names; `undefined` if it names none, or is no such file. */
export function readInstanceConfig(text: string): string | undefined {
  const endpoint = valueIn(tryReadYaml(text), [ENDPOINT]);
  return typeof endpoint === 'string' && endpoint !== '' ? endpoint : undefined;
}
