import { stringAt, type Json, type JsonObject } from '../objects/json.ts';
import type { PrinterColumn } from '../objects/resource-kind.ts';
import { AGE, NAME } from '../printing/columns.ts';
import { ageOf } from '../printing/human-duration.ts';
import { compileJsonPath } from '../printing/json-path.ts';
import { numberAt, objectsAt } from '../kinds/json.ts';

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'] as const;

/** The columns of one version of a custom resource: its own, or the age if it names none. */
export function customColumns(version: JsonObject): readonly PrinterColumn[] {
  const own = objectsAt(version, 'additionalPrinterColumns');
  return [NAME, ...(own.length === 0 ? [AGE] : own.map((column) => customColumn(column)))];
}

function customColumn(column: JsonObject): PrinterColumn {
  const type = TYPES.find((known) => known === column['type']) ?? 'string';
  const find = compileJsonPath(stringAt(column, 'jsonPath'));
  return {
    name: stringAt(column, 'name'),
    type,
    format: stringAt(column, 'format'),
    description: stringAt(column, 'description'),
    priority: numberAt(column, 'priority'),
    value: (object, now) => cell(find?.(object)[0], type, now),
  };
}

function cell(value: Json | undefined, type: PrinterColumn['type'], now: Date): Json {
  if (value === undefined || value === null) return null;
  if (type === 'date') return typeof value === 'string' ? ageOf(value, now) : '<invalid>';
  if (type === 'string' && typeof value !== 'string') return JSON.stringify(value);
  return value;
}
