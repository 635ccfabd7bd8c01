import { OPERATIONS, RESOURCE_TYPES } from '@fenestra/contracts';
import { KINDS, type ApiKind } from '@fenestra/kube-api';

/** A kind of object that nodes are told about without asking. */
export interface DeliveredKind {
  readonly api: ApiKind;
  /** Its token in resource strings. */
  readonly type: string;
  /** What a node is told the first time: upstream has its ways. */
  readonly firstOperation: string;
}

/** Everything nodes are told about. */
export const DELIVERED = {
  node: { api: KINDS.node, type: RESOURCE_TYPES.node, firstOperation: OPERATIONS.update },
  configMap: { api: KINDS.configMap, type: RESOURCE_TYPES.configMap, firstOperation: OPERATIONS.insert },
  secret: { api: KINDS.secret, type: RESOURCE_TYPES.secret, firstOperation: OPERATIONS.update },
  pod: { api: KINDS.pod, type: RESOURCE_TYPES.pod, firstOperation: OPERATIONS.insert },
} as const satisfies Readonly<Record<string, DeliveredKind>>;

/** The kind of a record, by the name the record has for it; undefined if nodes are not told about such objects here. */
export function deliveredKindOf(apiVersion: string, kind: string): DeliveredKind | undefined {
  return apiVersion === 'v1' ? Object.values(DELIVERED).find(({ api }) => api.kind === kind) : undefined;
}

/** The kind with a token. */
export function deliveredKindOfType(type: string): DeliveredKind | undefined {
  return Object.values(DELIVERED).find((kind) => kind.type === type);
}
