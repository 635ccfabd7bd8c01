import type { ResourceKind } from '../objects/resource-kind.ts';
import { crdKind } from '../crd/crd-kind.ts';
import { csrKind } from '../csr/csr-kind.ts';
import type { ServiceAccountTokens } from '../tokens/service-account-tokens.ts';
import { configMapKind, secretKind } from './config-map.ts';
import { endpointsKind, serviceKind } from './service.ts';
import { eventKind, newEventKind } from './event.ts';
import { leaseKind, namespaceKind, serviceAccountKind } from './namespace.ts';
import { typedKind, withMetadataRules } from './define-kind.ts';
import type { NameRule } from './names.ts';
import { nodeKind } from './node.ts';
import { podKind } from './pod/pod.ts';
import type { Definitions } from './schema/schema.ts';

/** The kinds that are always served and stored. */
export interface BuiltInKinds {
  readonly namespace: ResourceKind;
  readonly node: ResourceKind;
  readonly pod: ResourceKind;
  readonly configMap: ResourceKind;
  readonly secret: ResourceKind;
  readonly serviceAccount: ResourceKind;
  readonly service: ResourceKind;
  readonly endpoints: ResourceKind;
  readonly event: ResourceKind;
  readonly newEvent: ResourceKind;
  readonly lease: ResourceKind;
  readonly certificateSigningRequest: ResourceKind;
  readonly customResourceDefinition: ResourceKind;
}

/** The built-in kinds with their schemas and the rules all objects share. */
export function builtInKinds(definitions: Definitions, tokens: ServiceAccountTokens): BuiltInKinds {
  const complete = (kind: ResourceKind, rule: NameRule = 'subdomain'): ResourceKind =>
    withMetadataRules(typedKind(kind, definitions), rule);
  return {
    namespace: complete(namespaceKind, 'label'),
    node: complete(nodeKind),
    pod: complete(podKind),
    configMap: complete(configMapKind),
    secret: complete(secretKind),
    serviceAccount: complete(serviceAccountKind(tokens)),
    service: complete(serviceKind, 'service'),
    endpoints: complete(endpointsKind),
    event: complete(eventKind, 'path'),
    newEvent: complete(newEventKind, 'path'),
    lease: complete(leaseKind),
    certificateSigningRequest: complete(csrKind, 'path'),
    customResourceDefinition: complete(crdKind),
  };
}
