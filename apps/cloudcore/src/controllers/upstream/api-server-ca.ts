import { bareFailureAnswer, GROUPS, OPERATIONS, replyTo, SOURCES, type Message } from '@fenestra/contracts';
import { failureStatus, type KubeApi } from '@fenestra/kube-api';

/** The answer to a node that asks for the certificate of the Kubernetes API's CA: its PEM text. */
export function apiServerCa(message: Message, { caCertificate }: Pick<KubeApi, 'caCertificate'>): Message {
  const missing = failureStatus(404, 'NotFound', 'the Kubernetes API of this cloud has no separate CA');
  return replyTo(message, {
    source: SOURCES.cloudHub,
    group: GROUPS.resource,
    operation: OPERATIONS.response,
    content: caCertificate ?? bareFailureAnswer(missing),
  });
}
