import { StatusError } from '../objects/status-error.ts';
import { resourceName, type ResourceRef } from '../objects/resource-kind.ts';

/** A resource or subresource of Kubernetes that a request asks for and the API does not have. */
export interface MissingResource extends ResourceRef {
  readonly subresource: string;
}

const SUBRESOURCES: Readonly<Record<string, string>> = {
  'pods/attach': 'Attaching to containers',
  'pods/ephemeralcontainers': 'Adding ephemeral containers',
  'pods/exec': 'Running commands in containers',
  'pods/log': 'Reading logs of containers',
  'pods/portforward': 'Forwarding ports of pods',
  'pods/proxy': 'Forwarding requests to pods',
  'pods/resize': 'Resizing containers',
  'nodes/proxy': 'Forwarding requests to nodes',
  'services/proxy': 'Forwarding requests to services',
};

/** Groups of Kubernetes without any resource here, or with some, and why. */
const GROUPS: Readonly<Record<string, string>> = {
  '': 'it stores only what nodes and pods need',
  'admissionregistration.k8s.io': 'it has no admission webhooks',
  apps: 'it runs no controllers (create pods instead)',
  autoscaling: 'it runs no controllers',
  batch: 'it runs no controllers (create pods instead)',
  'discovery.k8s.io': 'it does not look for the pods behind services',
  'networking.k8s.io': 'it has no cluster network',
  policy: 'it has no disruption budgets',
  'rbac.authorization.k8s.io': 'its permissions are fixed',
  'resource.k8s.io': 'it does not allocate devices',
  'scheduling.k8s.io': 'its scheduler has no priorities',
  'storage.k8s.io': 'it provides no volumes',
};

/** Explains why the API does not have something that Kubernetes has; undefined for what Kubernetes does not have either. */
export function explainMissing(missing: MissingResource): StatusError | undefined {
  const { group, plural, subresource } = missing;
  const name = resourceName(missing);
  const feature = group === '' ? SUBRESOURCES[`${plural}/${subresource}`] : undefined;
  if (feature !== undefined) {
    const message = `${feature} is not supported by the embedded API yet (${name}/${subresource})`;
    return new StatusError(405, 'MethodNotAllowed', message, { group, kind: plural });
  }
  const reason = Object.hasOwn(GROUPS, group) ? GROUPS[group] : undefined;
  if (reason === undefined || subresource !== '') return undefined;
  const message = `the embedded API does not serve ${name}: ${reason}. Use a Kubernetes cluster for it`;
  return new StatusError(404, 'NotFound', message, { group, kind: plural });
}
