import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import { type Document, isCollection, isMap, isScalar, isSeq } from 'yaml';
import { EdgecoreConfig } from '../edgecore/schema.ts';
import { configError } from '../reading/problem.ts';
import { readYaml } from '../reading/yaml-source.ts';
import { findField } from './field-path.ts';
import { parseAssignment, readTypedValue, type SettableValue } from './typed-value.ts';

/** A wish whose place and value are understood. */
interface Edit {
  readonly path: string;
  readonly keys: readonly (string | number)[];
  readonly value: SettableValue;
}

/**
 * Sets values such as `modules.edgeHub.heartbeat=20` in the text of an `edgecore.yaml`; comments and order stay, and so does every byte if nothing changes.
 * Throws `USAGE` with everything that is wrong with the wishes. Whether the outcome is sound is the loader's to say.
 */
export function setInYaml(text: string, assignments: readonly string[]): string {
  const source = readYaml(text);
  const problems = 'message' in source ? [source] : source.problems;
  if ('message' in source || problems.length > 0) throw configError('edgecore.yaml', 'edgecore', problems);
  const edits = understandAll(assignments);
  const changed = edits.map((edit) => apply(source.document, edit)).includes(true);
  return changed ? source.document.toString({ lineWidth: 0, ...layoutOf(text) }) : text;
}

/** Throws `USAGE` with everything that can be seen to be wrong with the wishes before there is a file. */
export function requireAssignments(assignments: readonly string[]): void {
  understandAll(assignments);
}

function understandAll(assignments: readonly string[]): readonly Edit[] {
  const understood = assignments.map(understand);
  const problems = understood.flatMap((edit) => ('problem' in edit ? [edit.problem] : []));
  if (problems.length > 0) throw cannotSet(problems);
  return understood.flatMap((edit) => ('problem' in edit ? [] : [edit]));
}

function understand(assignment: string): Edit | { readonly problem: string } {
  const { path, value: typed } = parseAssignment(assignment);
  const place = findField(path, EdgecoreConfig);
  if ('problem' in place) return { problem: `"${path}" (${place.problem})` };
  const { keys, shape } = place;
  const value = readTypedValue(typed, shape);
  if (value !== undefined) return { path, keys, value };
  const remedy = shape.kind === 'list' ? 'is a list; write it like "{a,b}"' : 'is a mapping; name a field in it';
  return { problem: `"${path}" (${remedy})` };
}

/** Says whether anything changed. */
function apply(document: Document, { path, keys, value }: Edit): boolean {
  const spelled = asSpelled(document, keys, path);
  const present = document.getIn(spelled);
  const plain: unknown = isCollection(present) ? present.toJS(document) : present;
  if (isDeepStrictEqual(plain, value)) return false;
  document.setIn(spelled, Array.isArray(value) ? document.createNode(value) : value);
  return true;
}

/** The keys as this file spells them; what is null on the way is made room for. */
function asSpelled(document: Document, keys: Edit['keys'], path: string): readonly (string | number)[] {
  const spelled: (string | number)[] = [];
  for (const [depth, key] of keys.entries()) {
    const parent = depth === 0 ? document.contents : document.getIn(spelled, true);
    if (isScalar(parent) && parent.value === null) document.deleteIn(spelled);
    else if (parent !== undefined && parent !== null && !isCollection(parent))
      throw cannotSet([`"${path}" (${BY_HAND})`]);
    if (typeof key === 'number' && key > (isSeq(parent) ? parent.items.length : 0)) {
      throw cannotSet([`"${path}" (the list is shorter; append the next element first)`]);
    }
    spelled.push(isMap(parent) ? keyIn(parent, key) : key);
  }
  return spelled;
}

/** What stands for something else in the file would change it there too. */
const BY_HAND = 'the file has an alias or a single value on the way to it; edit the file manually';

function keyIn(map: { readonly items: readonly { readonly key: unknown }[] }, key: string | number): string | number {
  const names = map.items.flatMap(({ key: own }) =>
    isScalar(own) && typeof own.value === 'string' ? [own.value] : [],
  );
  return names.find((name) => name.toLowerCase() === String(key).toLowerCase()) ?? key;
}

/** How the file is laid out, so that the lines no one touched stay as they are. */
function layoutOf(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  const indent = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const hasFlushList = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text);
  return { indent: Math.min(indent, 8), indentSeq: !hasFlushList };
}

function cannotSet(problems: readonly string[]): OperatorError {
  return new OperatorError('USAGE', `Cannot set ${problems.join(', ')}`, {
    hint: 'Correct the path; "keadm config view --defaults" shows all fields.',
  });
}

/**
 * The text without this join token, as the agent leaves it once the token was used. A token is long and random, so it
 * can be found as text: comments and order of the file stay as they are.
 */
export function blankToken(text: string, token: string): string {
  if (token === '') return text;
  return [`"${token}"`, `'${token}'`, token].reduce((rest, form) => rest.replaceAll(form, '""'), text);
}

/** The digest by which an agent and its administrator speak of a configuration text, in lower-case hexadecimal. */
export function configDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
