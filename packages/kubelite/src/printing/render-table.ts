import type { TableRequest } from '../objects/extensions.ts';
import type { Json, JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { PrinterColumn } from '../objects/resource-kind.ts';

/** Objects as a `meta.k8s.io/v1` Table, which is what `kubectl get` prints. */
export function renderTable(request: TableRequest, now: Date): JsonObject {
  const { kind, objects, metadata, withColumns } = request;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? kind.columns.map((column) => columnDefinition(column)) : [],
    rows: objects.map((object) => ({
      cells: kind.columns.map((column) => column.value(object, now)),
      ...embedded(object, request.includeObject),
    })),
  };
}

function columnDefinition({ name, type, format, description, priority }: PrinterColumn): JsonObject {
  return { name, type, format: format ?? '', description, priority };
}

function embedded(object: KubeObject, include: TableRequest['includeObject']): { readonly object?: Json } {
  if (include === 'None') return {};
  if (include === 'Object') return { object };
  return { object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata } };
}
