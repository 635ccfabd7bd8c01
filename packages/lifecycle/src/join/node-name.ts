import { OperatorError } from '@fenestra/kernel';

/** A node's name is also the value of its label "kubernetes.io/hostname", which is shorter than a name may be. */
const MOST_CHARACTERS = 63;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Throws `USAGE` with the rule for a name that Kubernetes would refuse: it takes an RFC 1123 subdomain. */
export function requireNodeName(name: string): void {
  if (name.length <= MOST_CHARACTERS && name.split('.').every((label) => LABEL.test(label))) return;
  throw new OperatorError('USAGE', `Cannot call a node "${name}"`, {
    hint: `Give "--edgenode-name" a name of at most ${MOST_CHARACTERS} lower-case letters, digits, "-" and ".", with a letter or digit at both ends and beside each dot.`,
  });
}
