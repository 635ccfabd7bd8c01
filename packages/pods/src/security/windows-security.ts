import type { Container } from '../pod/container-fields.ts';
import type { Pod } from '../pod/pod.ts';
import type { SecurityContext } from '../pod/security-fields.ts';
import type { SecurityFacts } from './container-security.ts';
import type { WindowsSecurity } from './security-shapes.ts';

/** The account that every Windows container has besides its users, and by which it may do everything in it. */
const ADMINISTRATOR = 'containeradministrator';

/** The security settings of a container on Windows. */
export function windowsSecurity({ spec }: Pod, own: SecurityContext | undefined): WindowsSecurity {
  const options = { ...spec.securityContext.windowsOptions, ...own?.windowsOptions };
  return {
    runAsUsername: options.runAsUserName ?? '',
    credentialSpec: options.gmsaCredentialSpec ?? '',
    hostProcess: options.hostProcess === true,
  };
}

/** Why a container may not be created on Windows as it is; undefined if it may. Users have names there and no numbers. */
export function windowsSecurityProblem(
  pod: Pod,
  { securityContext: own }: Container,
  { username = '' }: SecurityFacts['imageUser'],
): string | undefined {
  if ((own?.runAsNonRoot ?? pod.spec.securityContext.runAsNonRoot) !== true) return undefined;
  const user = windowsSecurity(pod, own).runAsUsername || username;
  if (user.toLowerCase() !== ADMINISTRATOR) return undefined;
  return `container's runAsUser (${user}) which will be regarded as root identity and will break non-root policy`;
}

/** Why the containers of a pod cannot be processes of a Windows host; undefined if they can, or are not to be. */
export function hostProcessProblem(pod: Pod): string | undefined {
  const { containers, initContainers = [], hostNetwork } = pod.spec;
  const isHostProcess = [...containers, ...initContainers].map(
    ({ securityContext }) => windowsSecurity(pod, securityContext).hostProcess,
  );
  if (!isHostProcess.includes(true)) return undefined;
  if (isHostProcess.includes(false)) return 'either all containers of a pod are HostProcess containers, or none';
  return hostNetwork === true ? undefined : 'a pod of HostProcess containers needs "hostNetwork: true"';
}
