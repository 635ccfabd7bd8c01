import { isJsonArray, isJsonObject, sameJson, type Json } from '../objects/json.ts';

type Step =
  | { readonly kind: 'all' }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'where'; readonly path: readonly Step[]; readonly equals: Json };

/** A compiled JSONPath: every value it finds in an object. */
export type JsonPath = (root: Json) => readonly Json[];

const TOKEN =
  /\.?\['((?:[^'\\]|\\.)*)'\]|\[\?\(@([^=\s]+)\s*==\s*("[^"]*"|'[^']*'|[^)\s]+)\s*\)\]|\[(\d+|\*)\]|\.((?:[^.[\\]|\\.)+)/gy;

/** Compiles the JSONPath that printer columns use: names, indexes, `[*]` and `[?(@.type=="Ready")]`. Undefined if it is none. */
export function compileJsonPath(text: string): JsonPath | undefined {
  const steps = parse(text.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, ''));
  return steps && ((root) => follow([root], steps));
}

function parse(text: string): readonly Step[] | undefined {
  const tokens = [...text.matchAll(TOKEN)];
  const used = tokens.reduce((sum, [whole]) => sum + whole.length, 0);
  if (text === '' || used !== text.length) return undefined;
  const steps = tokens.map((token) => stepOf(token));
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function stepOf([, quoted, filterPath, filterValue, index, name]: readonly (string | undefined)[]): Step | undefined {
  if (filterPath !== undefined && filterValue !== undefined) return filterStep(filterPath, filterValue);
  if (index === '*') return { kind: 'all' };
  if (index !== undefined) return { kind: 'index', index: Number(index) };
  return { kind: 'name', name: (quoted ?? name ?? '').replaceAll(/\\(.)/g, '$1') };
}

function filterStep(filterPath: string, literal: string): Step | undefined {
  const path = parse(filterPath);
  return path && { kind: 'where', path, equals: literalValue(literal) };
}

function literalValue(literal: string): Json {
  if (/^["']/.test(literal)) return literal.slice(1, -1);
  if (literal === 'true' || literal === 'false') return literal === 'true';
  return Number.isNaN(Number(literal)) ? literal : Number(literal);
}

function follow(values: readonly Json[], steps: readonly Step[]): readonly Json[] {
  let found = values;
  for (const step of steps) found = found.flatMap((value) => take(value, step));
  return found;
}

function take(value: Json, step: Step): readonly Json[] {
  if (step.kind === 'name') return isJsonObject(value) ? present(value[step.name]) : [];
  if (!isJsonArray(value)) return [];
  switch (step.kind) {
    case 'all':
      return value;
    case 'index':
      return present(value[step.index]);
    case 'where':
      return value.filter((item) => follow([item], step.path).some((result) => sameJson(result, step.equals)));
  }
}

function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}
