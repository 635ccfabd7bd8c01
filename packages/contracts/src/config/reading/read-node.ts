import { isAlias, isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Problem } from './problem.ts';
import { joinPath, optionsOf, shapeOf, type Shape } from './schema-shape.ts';
import { unknownKey } from './unknown-key.ts';
import type { YamlSource } from './yaml-source.ts';

/** What a file says, in plain values, with the line of every field it says something about. */
export interface Reading {
  readonly source: YamlSource;
  /** The whole file's schema: where a misplaced key may belong. */
  readonly schema: unknown;
  /** Whether a text may go over several lines, if it is written as a block. */
  readonly blocks?: boolean;
  readonly lines: Map<string, number>;
  readonly problems: Problem[];
}

interface Place {
  readonly path: string;
  readonly line: number;
}

/**
 * Reads a node as its schema expects it. Keys match whatever their case, as upstream's do. What is null was not said.
 * It goes no deeper than the schema, so aliases cannot make it grow.
 */
export function readNode(node: unknown, schema: unknown, place: Place, reading: Reading): unknown {
  const target = isAlias(node) ? node.resolve(reading.source.document) : node;
  if (target === null || target === undefined || (isScalar(target) && target.value === null)) return undefined;
  const shape = shapeOf(optionFor(target, schema));
  if (shape.kind === 'mapping' || shape.kind === 'names') {
    return isMap(target) ? readMap(target, shape, place, reading) : refuse(reading, place, 'must be a mapping');
  }
  if (shape.kind === 'list') {
    return isSeq(target) ? readList(target, shape.element, place, reading) : refuse(reading, place, 'must be a list');
  }
  if (!isScalar(target)) return refuse(reading, place, 'must be a single value');
  const value = readScalar(target, shape);
  if (reading.blocks === true && isBlock(target)) return value;
  return typeof value === 'string' && CONTROL.test(value) ? refuse(reading, place, CONTROL_CHARACTER) : value;
}

/** Of what may be written there, what the file has written. */
function optionFor(target: unknown, schema: unknown): unknown {
  const options = optionsOf(schema);
  if (options.length === 1) return options[0];
  const fits = (kinds: readonly string[]) => options.find((option) => kinds.includes(shapeOf(option).kind));
  if (isMap(target)) return fits(['mapping', 'names']) ?? options[0];
  if (isSeq(target)) return fits(['list']) ?? options[0];
  const isText = isScalar(target) && typeof target.value === 'string';
  return fits(isText ? ['text'] : ['scalar', 'switch']) ?? fits(['text', 'scalar', 'switch']) ?? options[0];
}

function isBlock({ type }: Scalar): boolean {
  return type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL';
}

function readMap(map: YAMLMap, shape: Shape, place: Place, reading: Reading): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  const seen = new Set<string>();
  for (const pair of map.items) {
    const written = keyText(pair);
    const key = shape.kind === 'mapping' ? knownKey(written, shape.fields) : written;
    const here = { path: joinPath(place.path, key ?? written), line: lineOf(pair, place, reading) };
    if (key === undefined)
      reading.problems.push({
        ...here,
        message: unknownKey(written, { siblings: fieldNames(shape), path: place.path, schema: reading.schema }),
      });
    else if (seen.has(key)) refuse(reading, here, 'is given twice');
    else entries.push([key, readNode(pair.value, fieldOf(shape, key), noted(reading, here), reading)]);
    seen.add(key ?? written);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function readList(list: YAMLSeq, element: unknown, { path, line }: Place, reading: Reading): unknown[] {
  return list.items.map((item, index) => {
    const here = noted(reading, { path: joinPath(path, index), line: lineOfValue(item, reading) ?? line });
    const value = readNode(item, element, here, reading);
    if (value !== undefined || reading.problems.at(-1)?.path === here.path) return value;
    return refuse(reading, here, 'must not be empty');
  });
}

/** In double quotes YAML reads `\v` and `\t` of a Windows path as control characters. */
const CONTROL = /\p{Cc}/u;
const CONTROL_CHARACTER = 'has a control character: write Windows paths without quotes or in single ones';

/** A text may be written without quotes even where it looks like a number: it is taken as written. */
function readScalar(scalar: Scalar, { kind }: Shape): unknown {
  if (kind === 'text' && typeof scalar.value !== 'string') return scalar.source ?? String(scalar.value);
  if (kind === 'switch' && typeof scalar.value === 'string')
    return SWITCHES[scalar.value.toLowerCase()] ?? scalar.value;
  return scalar.value;
}

/** Upstream's parser takes these words for booleans; YAML 1.2 no longer does. */
const SWITCHES: Readonly<Record<string, boolean>> = { yes: true, on: true, y: true, no: false, off: false, n: false };

function keyText({ key }: Pair): string {
  return isScalar(key) ? (key.source ?? String(key.value)) : '?';
}

function knownKey(written: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.hasOwn(fields, written)) return written;
  return Object.keys(fields).find((field) => field.toLowerCase() === written.toLowerCase());
}

function fieldNames(shape: Shape): readonly string[] {
  return shape.kind === 'mapping' ? Object.keys(shape.fields) : [];
}

function fieldOf(shape: Shape, key: string): unknown {
  if (shape.kind === 'mapping') return shape.fields[key];
  return shape.kind === 'names' ? shape.value : undefined;
}

function lineOf(pair: Pair, place: Place, reading: Reading): number {
  return lineOfValue(pair.key, reading) ?? place.line;
}

function lineOfValue(node: unknown, { source }: Reading): number | undefined {
  if (!(isScalar(node) || isMap(node) || isSeq(node) || isAlias(node))) return undefined;
  return node.range ? source.lineAt(node.range[0]) : undefined;
}

function noted(reading: Reading, place: Place): Place {
  reading.lines.set(place.path, place.line);
  return place;
}

function refuse(reading: Reading, { path, line }: Place, message: string): undefined {
  reading.problems.push({ path, line, message });
}
