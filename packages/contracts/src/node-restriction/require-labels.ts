import { OperatorError } from '@fenestra/kernel';
import { isReservedLabel } from './reserved-labels.ts';

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
  return new OperatorError('USAGE', `Cannot set the label "${key}": no node may give it to itself`, {
    hint: `Have an administrator do it once the node has joined: "kubectl label node NAME ${key}=${value}".`,
  });
}
