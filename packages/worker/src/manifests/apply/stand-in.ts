import { OperatorError } from '@fenestra/kernel';
import type { KubeObject } from '@fenestra/kube-api';

/** Where objects are checked whose own namespace is still to be made. */
const STAND_IN = 'kube-system';

/** An object as a server can check it although its namespace is not there: it refuses to, even if it is to change nothing. */
export function inStandIn(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: STAND_IN } };
}

/** The failure of such a check, in the words of the object that is meant. The server's own come along as its cause. */
export function failedInStandIn({ kind, metadata }: KubeObject, failure: OperatorError): OperatorError {
  const { name, namespace = '' } = metadata;
  const message = `Cannot check ${kind} "${namespace}/${name}": its namespace does not exist yet, and the check in "${STAND_IN}" instead failed`;
  const { code, cause, details } = failure;
  // What an account may do in one namespace says nothing of another.
  const hint =
    code === 'API_FORBIDDEN'
      ? `Make the namespace with "kubectl create namespace ${namespace}", then check again.`
      : failure.hint;
  return new OperatorError(code, message, { hint, cause, details });
}
