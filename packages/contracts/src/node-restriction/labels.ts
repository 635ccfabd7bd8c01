import { OperatorError } from '@fenestra/kernel';

const NAME = /^[a-z0-9A-Z]([-a-z0-9A-Z_.]{0,61}[a-z0-9A-Z])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const VALUE = /^([a-z0-9A-Z]([-a-z0-9A-Z_.]{0,61}[a-z0-9A-Z])?)?$/;

/** Throws `USAGE` for a label that Kubernetes would refuse, or that no node may give itself. */
export function requireLabels(labels: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(labels)) {
    if (!isKey(key) || !VALUE.test(value)) throw noLabel(`${key}=${value}`);
    if (isReservedLabel(key)) throw reserved(key, value);
  }
}

function isKey(key: string): boolean {
  const [name = '', prefix, ...rest] = key.split('/').toReversed();
  return rest.length === 0 && NAME.test(name) && (prefix === undefined || PREFIX.test(prefix));
}

function noLabel(text: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "${text}" as a label`, { hint: 'Give labels like "zone=north".' });
}

function reserved(key: string, value: string): OperatorError {
  return new OperatorError('USAGE', `Cannot set the label "${key}": a node must not set it on itself`, {
    hint: `After the node has joined, an administrator can set it: "kubectl label node NAME ${key}=${value}".`,
  });
}

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
