import { isIPv6 } from 'node:net';
import { OperatorError } from '@fenestra/kernel';
import { type Document, LineCounter, parseAllDocuments, visit } from 'yaml';
import { plainAddress } from '../file/scalars.ts';
import type { BatchFile, NodeSettings, SharedSettings } from '../file/schema.ts';

/** What was made of another tool's inventory. */
export interface ImportedInventory {
  readonly content: Pick<BatchFile, 'defaults' | 'groups' | 'jumps'> & { readonly nodes: readonly NodeSettings[] };
  /** Everything that was there and is not in the content as it was, one sentence each. Never holds a value. */
  readonly remarks: readonly string[];
}

/** A remark about something that many entries have is made once, with their number. */
export interface Remarks {
  add(about: string): void;
  list(): readonly string[];
}

/** Begins without any. */
export function newRemarks(): Remarks {
  const counts = new Map<string, number>();
  return {
    add: (about) => {
      // A remark becomes a comment, and what it names may hold a line break that would end it.
      const line = about.replaceAll(/[\s\p{Cc}]+/gu, ' ');
      counts.set(line, (counts.get(line) ?? 0) + 1);
    },
    list: () => [...counts].map(([about, count]) => (count === 1 ? about : `${about} (${count} times)`)),
  };
}

/** One error for all that keeps an inventory from being read. */
export function unreadable(fileName: string, problems: readonly string[]): OperatorError {
  const lines = problems.slice(0, MOST).map((problem) => `  ${fileName}:${problem}`);
  const rest = problems.length > MOST ? [`  and ${problems.length - MOST} more`] : [];
  const head = `Cannot import "${fileName}": ${problems.length} problem(s)`;
  return new OperatorError('CONFIG_INVALID', [head, ...lines, ...rest].join('\n'), {
    hint: 'Correct the lines above, or check that the file has the given format.',
    details: { file: fileName, problems: problems.length },
  });
}

const MOST = 50;

/** A name for a node that the batch file allows, made of the name or address it has elsewhere. */
export function nodeNameOf(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'node';
}

/** The same, with a note that it was changed, except for an IPv6 address, which is never a valid name. */
export function allowedName(kind: 'name' | 'group', name: string, remarks: Remarks): string {
  const allowed = nodeNameOf(name);
  if (allowed !== name && !isIPv6(plainAddress(name))) remarks.add(`The ${kind} "${name}" is called "${allowed}" here`);
  return allowed;
}

/** A login by key. */
export function keyAuth(privateKeyPath: string): NonNullable<NonNullable<SharedSettings['ssh']>['auth']> {
  return { type: 'privateKey', privateKeyAuth: { privateKeyPath } };
}

/** The mapping, unless it says nothing. */
export function given<Value extends object>(value: Value): Value | undefined {
  return Object.values(value).some((part) => part !== undefined) ? value : undefined;
}

/** A port, if the text is one. */
export function portOf(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}

/** An optional port; an invalid one is noted. */
export function readPort(text: string | undefined, remarks: Remarks): number | undefined {
  const port = portOf(text ?? '');
  if (text !== undefined && port === undefined) remarks.add('A port that is not a number from 1 to 65535 was left out');
  return port;
}

/** Whether a text can be the value of a label. */
export function isLabelValue(text: string): boolean {
  return /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(text);
}

/** Stands for a value that only the tool can read whose tag it has. */
export const SEALED: unique symbol = Symbol('sealed');

interface TagReading {
  /** Whether a value with this tag is `SEALED`. */
  readonly seal?: (tag: string) => boolean;
}

/** The documents of a YAML file as plain values. What the parser says is not quoted: it may repeat what is in the file. */
export function readYamlDocuments(
  text: string,
  fileName: string,
  { seal = () => false }: TagReading = {},
): readonly unknown[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false, logLevel: 'silent' });
  const parsed = Array.isArray(documents) ? documents : [];
  for (const { errors } of parsed) {
    const [error] = errors;
    if (error !== undefined)
      throw unreadable(fileName, [`${lineCounter.linePos(error.pos[0]).line} is not valid YAML`]);
  }
  for (const document of parsed) sealValues(document, seal);
  return parsed.map((document): unknown => document.toJS());
}

function sealValues(document: Document, seal: (tag: string) => boolean): void {
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && isOwnTag(node.tag) && seal(node.tag)) node.value = SEALED;
    },
  });
}

function isOwnTag(tag: string | undefined): tag is string {
  return tag !== undefined && tag !== '!' && !tag.startsWith('tag:yaml.org,2002:');
}

/** A mapping's entries; none if the value is not a mapping. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
