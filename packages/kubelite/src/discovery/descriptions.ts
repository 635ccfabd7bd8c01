import type { Schema } from '../kinds/schema/schema.ts';

/** What `kubectl explain` says of a kind. */
export const KIND_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Binding: 'The assignment of a pod to a node.',
  CertificateSigningRequest: 'A request for a certificate, and what became of it.',
  ConfigMap: 'Configuration as keys and values, for pods to read.',
  CustomResourceDefinition: 'Defines a further kind of object that the API serves.',
  Endpoints: 'The addresses behind a service.',
  Event: 'Something that happened to an object.',
  Eviction: 'Asks for a pod to be removed from its node.',
  Lease: 'Shows that its holder is alive, or which of several is the leader.',
  Namespace: 'A scope for names.',
  Node: 'A machine that runs pods.',
  Pod: 'Containers that run together on one node.',
  Secret: 'Values to be kept to oneself, for pods to read.',
  Service: 'A name and ports for a set of pods.',
  ServiceAccount: 'An identity for pods.',
  TokenRequest: 'Asks for a token of a service account.',
};

const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  apiVersion: 'Group and version of the kind, such as "v1".',
  kind: 'What the object is.',
  metadata: 'Name, labels, annotations and what the API keeps about the object.',
  spec: 'What is wanted.',
  status: 'What is.',
};

/** The fields of a kind with what is the same for all of them, where they say nothing of their own. */
export function withFieldDescriptions(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const described = Object.entries(properties).map(([name, schema]) => {
    const description = schema.description ?? FIELD_DESCRIPTIONS[name];
    return [name, description === undefined ? schema : { ...schema, description }] as const;
  });
  return Object.fromEntries(described);
}
