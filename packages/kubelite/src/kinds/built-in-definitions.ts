import { readTypeTables } from './schema/type-table.ts';
import type { Definitions } from './schema/schema.ts';
import {
  APIEXTENSIONS_TYPES,
  AUTHENTICATION_TYPES,
  AUTHORIZATION_TYPES,
  CERTIFICATES_TYPES,
  COORDINATION_TYPES,
  EVENTS_TYPES,
  META_TYPES,
  POLICY_TYPES,
} from './types/other-groups.ts';
import { CORE_CONTAINER_TYPES } from './types/core-container.ts';
import { CORE_NODE_TYPES, CORE_SERVICE_TYPES } from './types/core-cluster.ts';
import { CORE_POD_TYPES } from './types/core-pod.ts';
import { CORE_VOLUME_TYPES } from './types/core-volume.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The full name of the metadata that every object carries. */
export const OBJECT_META = `${META}.ObjectMeta`;

/** What stands before a type's name in the OpenAPI document, by API group. */
export const GROUP_PREFIXES: Readonly<Record<string, string>> = {
  '': 'io.k8s.api.core.v1',
  'certificates.k8s.io': 'io.k8s.api.certificates.v1',
  'coordination.k8s.io': 'io.k8s.api.coordination.v1',
  'events.k8s.io': 'io.k8s.api.events.v1',
  'authentication.k8s.io': 'io.k8s.api.authentication.v1',
  'authorization.k8s.io': 'io.k8s.api.authorization.v1',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  policy: 'io.k8s.api.policy.v1',
};

const TEXTS: Readonly<Record<string, string>> = {
  '': [CORE_CONTAINER_TYPES, CORE_VOLUME_TYPES, CORE_POD_TYPES, CORE_NODE_TYPES, CORE_SERVICE_TYPES]
    .map((text) => text.trim())
    .join('\n'),
  'certificates.k8s.io': CERTIFICATES_TYPES,
  'coordination.k8s.io': COORDINATION_TYPES,
  'events.k8s.io': EVENTS_TYPES,
  'authentication.k8s.io': AUTHENTICATION_TYPES,
  'authorization.k8s.io': AUTHORIZATION_TYPES,
  'apiextensions.k8s.io': APIEXTENSIONS_TYPES,
  policy: POLICY_TYPES,
};

/** The schemas of every built-in type, with references between them. */
export function builtInDefinitions(): Definitions {
  const groups = Object.entries(GROUP_PREFIXES).map(([group, prefix]) => ({ prefix, text: TEXTS[group] ?? '' }));
  return readTypeTables([{ prefix: META, text: META_TYPES }, ...groups]);
}
