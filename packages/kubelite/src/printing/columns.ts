import type { Json } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { PrinterColumn } from '../objects/resource-kind.ts';
import { ageOf } from './human-duration.ts';

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
