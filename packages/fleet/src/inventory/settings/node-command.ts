import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { hasClearSecret, shownWords } from '../command/secret-words.ts';
import { isProblem, plainText, splitWords, type Word, type WordPart } from '../command/split-words.ts';
import type { BatchFile, NodeSettings } from '../file/schema.ts';
import { isSecretName, parseSecret, type Secret } from '../secrets.ts';
import type { ClearSecrets, Findings } from './findings.ts';
import { type Layer, mergeNames, pick, type Placed } from './layers.ts';

/** What keadm is to do on a node: for the eye, and as it is run. */
interface NodeCommand {
  readonly shown: readonly string[];
  readonly words: readonly Word<Secret>[];
}

/** The parts of a node that its command may refer to. */
interface CommandSubject {
  readonly node: NodeSettings;
  readonly path: string;
  readonly layers: readonly Layer[];
  readonly labels: ReadonlyMap<string, Placed<string>>;
}

/** Makes a node's command. Problems are reported at the field that holds the command or the wildcard's value. */
export function nodeCommand(
  subject: CommandSubject,
  file: BatchFile,
  findings: Findings,
  clear: ClearSecrets,
): NodeCommand {
  const nothing: NodeCommand = { shown: [], words: [] };
  const template = pick(subject.layers, 'keadmCmd', ({ keadmCmd }) => keadmCmd);
  if (template === undefined) {
    findings.problem(`${subject.path}.keadmCmd`, 'must be given, here, in a group or in the defaults');
    return nothing;
  }
  const { parts, problems } = expandWildcards(template.value, wildcardValues(subject, file, findings, clear));
  for (const problem of problems) findings.problem(template.path, problem);
  if (problems.length > 0) return nothing;
  const words = splitWords(parts);
  if (isProblem(words)) {
    findings.problem(template.path, words.problem);
    return nothing;
  }
  if (hasClearSecret(words)) clear.found(template.path);
  checkFirstWord(words[0], template.path, findings);
  return { shown: shownWords(words), words };
}

function checkFirstWord(word: Word<Secret> | undefined, path: string, findings: Findings): void {
  const first = plainText(word ?? []);
  if (first === '') findings.problem(path, 'must hold a command, such as "join"');
  else if (/^(.*[/\\])?keadm(\.exe)?$/.test(first)) {
    findings.problem(path, `must begin with what follows "keadm": remove "${first}"`);
  } else if (first.startsWith('-')) findings.problem(path, `must begin with a command such as "join", not with a flag`);
}

/** The file's own wildcards, and those that every node has. */
function wildcardValues(
  { node, path, layers, labels }: CommandSubject,
  file: BatchFile,
  findings: Findings,
  clear: ClearSecrets,
): ReadonlyMap<string, WildcardValue> {
  const common: Layer = { path: 'keadm', settings: { cmdTplArgs: file.keadm?.cmdTplArgs } };
  const own = mergeNames([...layers, common], 'cmdTplArgs', ({ cmdTplArgs }) => cmdTplArgs);
  const values = new Map<string, WildcardValue>([
    ['nodeName', node.nodeName ?? path],
    ['ip', node.ssh?.ip ?? ''],
    ...[...labels].map(([name, { value }]) => [`labels.${name}`, value] as const),
  ]);
  for (const [name, placed] of own) values.set(name, wildcardValue(name, placed, findings, clear));
  return values;
}

function wildcardValue(
  name: string,
  { value, path }: Placed<string>,
  findings: Findings,
  clear: ClearSecrets,
): WildcardValue {
  const secret = parseSecret(value);
  if (isProblem(secret)) {
    findings.problem(path, secret.problem);
    return '';
  }
  if (secret.from !== 'text') return { opaque: secret };
  if (isSecretName(name)) {
    if (secret.value !== '') clear.found(path);
    return { opaque: secret };
  }
  if (/\{\{/.test(secret.value)) findings.problem(path, 'holds a wildcard; only commands may');
  return secret.value;
}

/** What a wildcard stands for: a text that becomes part of the command, or something hidden that stays one part. */
export type WildcardValue = string | { readonly opaque: Secret };

/** A command with its wildcards replaced, and what is wrong with those that could not be. */
interface Expansion {
  readonly parts: Word<Secret>;
  readonly problems: readonly string[];
}

/** Replaces `{{name}}` and `{{.name}}`; blanks inside the braces do not matter. */
export function expandWildcards(template: string, values: ReadonlyMap<string, WildcardValue>): Expansion {
  const parts: WordPart<Secret>[] = [];
  const problems: string[] = [];
  // Every other part is the inside of a pair of braces.
  for (const [index, part] of template.split(/\{\{(.*?)\}\}/s).entries()) {
    const value = index % 2 === 0 ? part : valueOf(part, values);
    if (isUnknown(value)) problems.push(value.unknown);
    else parts.push(...(typeof value === 'string' ? value.split('') : [value]));
  }
  const left = /\{\{|\}\}/.exec(template.replaceAll(/\{\{.*?\}\}/gs, ''))?.[0];
  return { parts, problems: left === undefined ? problems : [...problems, `has "${left}" without its counterpart`] };
}

interface Unknown {
  readonly unknown: string;
}

function isUnknown(value: WildcardValue | Unknown): value is Unknown {
  return typeof value === 'object' && 'unknown' in value;
}

function valueOf(inside: string, values: ReadonlyMap<string, WildcardValue>): WildcardValue | Unknown {
  const [, name] = /^\s*\.?([\w/.-]+)\s*$/.exec(inside) ?? [];
  if (name === undefined)
    return { unknown: 'has a wildcard that is not a name: only "{{name}}" and "{{.name}}" are known' };
  return values.get(name) ?? { unknown: undefinedText(name, [...values.keys()]) };
}

function undefinedText(name: string, names: readonly string[]): string {
  const nearest = nearestKey(name, names);
  if (nearest !== undefined && looksLike(name, nearest)) {
    return `uses the undefined wildcard "${name}"; did you mean "${nearest}"?`;
  }
  return `uses the undefined wildcard "${name}"; defined are ${names.map((known) => `"${known}"`).join(', ')}`;
}
