import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import type { Secret } from '../secrets.ts';
import type { WordPart, Word } from './split-words.ts';

/** What a wildcard stands for: a text that becomes part of the command, or something hidden that stays one part. */
export type WildcardValue = string | { readonly opaque: Secret };

/** A command with its wildcards replaced, and what is wrong with those that could not be. */
export interface Expansion {
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
  return { parts, problems: left === undefined ? problems : [...problems, `has "${left}" without its other half`] };
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
