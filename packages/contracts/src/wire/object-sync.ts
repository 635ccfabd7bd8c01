/** The records in the Kubernetes API that say which version of an object a node has acknowledged. */
export const OBJECT_SYNC = {
  group: 'reliablesyncs.kubeedge.io',
  version: 'v1alpha1',
  apiVersion: 'reliablesyncs.kubeedge.io/v1alpha1',
  namespaced: { kind: 'ObjectSync', plural: 'objectsyncs' },
  cluster: { kind: 'ClusterObjectSync', plural: 'clusterobjectsyncs' },
  /** The version of an object that was never acknowledged. */
  never: '0',
} as const;

/** The node and the object that a record is about. */
export interface ObjectSyncKey {
  readonly node: string;
  readonly uid: string;
}

/** The name of the record of one object at one node. */
export function objectSyncName({ node, uid }: ObjectSyncKey): string {
  return `${node}.${uid}`;
}

/** Takes a record's name apart; undefined if it is none. A node's name may hold dots, a uid does not. */
export function parseObjectSyncName(name: string): ObjectSyncKey | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 1 || dot === name.length - 1) return undefined;
  return { node: name.slice(0, dot), uid: name.slice(dot + 1) };
}

/**
 * Whether a version is later than another. Versions are unsigned 64-bit numbers; where one is none, any difference
 * counts as later, since sending an object once too often does no harm.
 */
export function isNewerVersion(version: string, than: string): boolean {
  const [left, right] = [digitsOf(version), digitsOf(than)];
  if (left === undefined || right === undefined) return version !== than;
  return left.length === right.length ? left > right : left.length > right.length;
}

function digitsOf(version: string): string | undefined {
  return /^\d+$/.test(version) ? version.replace(/^0+(?=\d)/, '') : undefined;
}
