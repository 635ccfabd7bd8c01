import type { TableRequest } from '../objects/extensions.ts';
import type { Json, JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { PrinterColumn } from '../objects/resource-kind.ts';

/** A column that always shows. */
export function column(
  name: string,
  description: string,
  value: (object: KubeObject, now: Date) => Json,
): PrinterColumn {
  return { name, type: 'string', description, priority: 0, value };
}

/** A column of numbers. */
export function numberColumn(name: string, description: string, value: (object: KubeObject) => number): PrinterColumn {
  return { name, type: 'integer', description, priority: 0, value };
}

/** A column that shows with `-o wide` only. */
export function wideColumn(
  name: string,
  description: string,
  value: (object: KubeObject, now: Date) => Json,
): PrinterColumn {
  return { ...column(name, description, value), priority: 1 };
}

/** The first column of nearly every kind. */
export const NAME: PrinterColumn = {
  ...column('Name', 'Name of the object, unique within its namespace', (object) => object.metadata.name),
  format: 'name',
};

/** How long ago the object was made. */
export const AGE: PrinterColumn = column('Age', 'Time since the object was made', (object, now) =>
  ageOf(object.metadata.creationTimestamp, now),
);

/** What stands in a cell that has nothing to say. */
export const NONE = '<none>';

/** The text, or what stands for none. */
export function orNone(text: string): string {
  return text === '' ? NONE : text;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The time since a timestamp as `kubectl get` shows ages: two units at most, and fewer the older it is. */
export function ageOf(timestamp: string, now: Date): string {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now.getTime() - then);
}

/** A duration in milliseconds as `kubectl` writes it: `45s`, `5m10s`, `3h`, `4d2h`. */
export function humanDuration(milliseconds: number): string {
  if (milliseconds < -SECOND) return '<invalid>';
  if (milliseconds < 2 * MINUTE) return `${Math.max(0, Math.trunc(milliseconds / SECOND))}s`;
  if (milliseconds < 10 * MINUTE) return twoUnits(milliseconds, [MINUTE, 'm'], [SECOND, 's']);
  if (milliseconds < 3 * HOUR) return `${Math.trunc(milliseconds / MINUTE)}m`;
  if (milliseconds < 8 * HOUR) return twoUnits(milliseconds, [HOUR, 'h'], [MINUTE, 'm']);
  if (milliseconds < 2 * DAY) return `${Math.trunc(milliseconds / HOUR)}h`;
  if (milliseconds < 8 * DAY) return twoUnits(milliseconds, [DAY, 'd'], [HOUR, 'h']);
  if (milliseconds < 2 * YEAR) return `${Math.trunc(milliseconds / DAY)}d`;
  if (milliseconds < 8 * YEAR) return twoUnits(milliseconds, [YEAR, 'y'], [DAY, 'd']);
  return `${Math.trunc(milliseconds / YEAR)}y`;
}

function twoUnits(milliseconds: number, large: readonly [number, string], small: readonly [number, string]): string {
  const rest = Math.trunc((milliseconds % large[0]) / small[0]);
  return `${Math.trunc(milliseconds / large[0])}${large[1]}${rest === 0 ? '' : `${rest}${small[1]}`}`;
}

/** Objects as a `meta.k8s.io/v1` Table, which is what `kubectl get` prints. */
export function renderTable(request: TableRequest, now: Date): JsonObject {
  const { kind, objects, metadata, withColumns } = request;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? kind.columns.map(columnDefinition) : [],
    rows: objects.map((object) => ({
      cells: kind.columns.map((cell) => cell.value(object, now)),
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
