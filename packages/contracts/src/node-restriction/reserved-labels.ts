/** Labels below `kubernetes.io` and `k8s.io` that a node reports about itself. */
const REPORTED_LABELS: ReadonlySet<string> = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

const NODES_OWN = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/**
 * Whether only an administrator may give a node this label. With such a label a node could draw pods, and the Secrets
 * they use, to itself. The rules are those of the NodeRestriction admission of Kubernetes.
 */
export function isReservedLabel(label: string): boolean {
  const namespace = label.includes('/') ? label.slice(0, label.indexOf('/')) : '';
  if (isWithin(namespace, 'node-restriction.kubernetes.io')) return true;
  if (!isWithin(namespace, 'kubernetes.io') && !isWithin(namespace, 'k8s.io')) return false;
  return !REPORTED_LABELS.has(label) && !NODES_OWN.some((own) => isWithin(namespace, own));
}

function isWithin(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}
