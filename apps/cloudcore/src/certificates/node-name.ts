import { OperatorError } from '@fenestra/kernel';

const LONGEST = 253;
const NODE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Returns the name if Kubernetes takes it for a node; throws `CERTIFICATE_INVALID` otherwise. */
export function requireNodeName(name: string): string {
  if (name.length <= LONGEST && NODE_NAME.test(name)) return name;
  throw new OperatorError('CERTIFICATE_INVALID', `Cannot use "${name.slice(0, 100)}" as the name of a node`, {
    hint: 'Use lower-case letters, digits, "-" and ".", starting and ending with a letter or digit.',
  });
}
