/**
 * How a list merges. `map`: items are distinguished by keys; `set`: values are; `atomic`: the list is one value.
 * Strategic merge uses `mergeKey`, server-side apply `keys`: Kubernetes has them differ for ports.
 */
export type ListShape =
  | { readonly type: 'map'; readonly mergeKey: string; readonly keys: readonly string[] }
  | { readonly type: 'set' }
  | { readonly type: 'atomic' };

/** Shows how the list at a path of field names (indices left out) merges. */
export type ListShapes = (path: readonly string[]) => ListShape;

const ATOMIC: ListShape = { type: 'atomic' };
const SET: ListShape = { type: 'set' };

const BY_FIELD: Readonly<Record<string, ListShape>> = {
  addresses: by('type'),
  conditions: by('type'),
  containers: by('name'),
  env: by('name'),
  ephemeralContainers: by('name'),
  finalizers: SET,
  hostAliases: by('ip'),
  hostIPs: by('ip'),
  imagePullSecrets: by('name'),
  initContainers: by('name'),
  ownerReferences: by('uid'),
  podCIDRs: SET,
  podIPs: by('ip'),
  resourceClaims: by('name'),
  schedulingGates: by('name'),
  secrets: by('name'),
  topologySpreadConstraints: by('topologyKey', ['topologyKey', 'whenUnsatisfiable']),
  volumeDevices: by('devicePath'),
  volumeMounts: by('mountPath'),
  volumes: by('name'),
};

const CONTAINER_PORTS = by('containerPort', ['containerPort', 'protocol']);
const SERVICE_PORTS = by('port', ['port', 'protocol']);

/** The shapes of the built-in kinds' lists. Names are enough: no field name merges in two ways but `ports` and `addresses`. */
export function builtInListShape(path: readonly string[]): ListShape {
  const field = path.at(-1) ?? '';
  if (path.includes('subsets') || path.includes('endpoints')) return ATOMIC;
  if (field === 'ports') return portsOf(path.at(-2) ?? '');
  return Object.hasOwn(BY_FIELD, field) ? (BY_FIELD[field] ?? ATOMIC) : ATOMIC;
}

/** The shapes of a custom resource that says nothing about its lists: only metadata's merge. */
export function plainListShape(path: readonly string[]): ListShape {
  return path[0] === 'metadata' && path.length === 2 ? builtInListShape(path) : ATOMIC;
}

function portsOf(parent: string): ListShape {
  if (/[cC]ontainers$/.test(parent)) return CONTAINER_PORTS;
  return parent === 'spec' ? SERVICE_PORTS : ATOMIC;
}

function by(mergeKey: string, keys: readonly string[] = [mergeKey]): ListShape {
  return { type: 'map', mergeKey, keys };
}
