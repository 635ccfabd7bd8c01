import { GROUPS, OPERATIONS, PLAIN_RESOURCES, replyTo, SOURCES, type Message } from '@fenestra/contracts';
import { failureStatus, isJsonObject } from '@fenestra/kube-api';

/**
 * The answer to a request that a node's local API forwards: no. Upstream runs it with the cloud's own rights, for
 * whatever object the node names; a node gets an answer at once instead of waiting, and serves from its disk.
 */
export function refuseApplication(message: Message): Message {
  const reason = 'this cloud does not forward requests of nodes to the Kubernetes API';
  const application = isJsonObject(message.content) ? message.content : {};
  const error = { ErrStatus: failureStatus(405, 'MethodNotAllowed', reason) };
  return replyTo(message, {
    source: SOURCES.dynamicController,
    group: GROUPS.resource,
    operation: OPERATIONS.applicationResponse,
    resource: PLAIN_RESOURCES.applicationAnswer,
    content: { ...application, Status: 'Rejected', Reason: reason, Error: error },
  });
}
