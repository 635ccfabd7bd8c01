import type { Json } from '../objects/json.ts';

// Only such digits can be a number that a double cannot hold.
const LARGE = /\d{16}|e\+?\d{3}/i;
const INTEGER = /^-?\d+$/;

/** The value that JSON text stands for. Throws `SyntaxError`, also for a number that would be stored as another one. */
export function parseJson(text: string): Json {
  const value: Json = LARGE.test(text) ? JSON.parse(text, requireExact) : JSON.parse(text);
  return value;
}

function requireExact(name: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  const lost =
    typeof value === 'number' && (INTEGER.test(source) ? !Number.isSafeInteger(value) : !Number.isFinite(value));
  if (lost) throw new SyntaxError(`the number ${source.slice(0, 40)} in "${name}" is out of range`);
  return value;
}
