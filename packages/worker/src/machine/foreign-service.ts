import { OperatorError } from '@fenestra/kernel';
import type { ServiceManager, ServiceSpec } from '@fenestra/platform';

/**
 * The error for a kubelet service that somebody else has registered, and so is not keadm's to change; `undefined` for our
 * own, or where there is none.
 */
export function foreignService(
  found: ServiceSpec | undefined,
  wanted: ServiceSpec,
  services: Pick<ServiceManager, 'commandLine'>,
): OperatorError | undefined {
  // Every registration of ours has had this name, and every service manager gives it back.
  if (found === undefined || found.displayName === wanted.displayName) return undefined;
  const message = `Cannot change service "${found.name}": it was not registered by keadm and runs "${found.executable}"`;
  return new OperatorError('SERVICE_CONFLICT', message, {
    hint: `If kubeadm or a script has made a worker of this machine, take that off with "keadm kube reset", which leaves their service; then remove the service, or the package that brings it. "${services.commandLine('status', found.name)}" shows where it comes from.`,
    details: { program: found.executable },
  });
}
