/** Whether Python takes a value for true. */
export function isTruthy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  if (value instanceof Date) return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** A value as Python prints it; `source` tells 1.0 from 1, and a date from a moment. */
export function pythonText(value: unknown, source?: string): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number')
    return Number.isInteger(value) && /\./.test(source ?? '') ? `${value}.0` : String(value);
  if (value instanceof Date) return source ?? value.toISOString();
  return typeof value === 'string' ? value : pythonLiteral(value);
}

/** A value inside of a list or a mapping, as Python prints it. */
function pythonLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return pythonText(value);
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  const pairs = Object.entries(value).map(([key, each]) => `${pythonLiteral(key)}: ${pythonLiteral(each)}`);
  return `{${pairs.join(', ')}}`;
}
