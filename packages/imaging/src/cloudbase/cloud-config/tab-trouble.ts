import { isCollection, isScalar, visit, type Document } from 'yaml';
import type { Trouble } from './trouble.ts';

/** A tab before the first letter of a line or of an item, where only the inside of quotes, of brackets or of a block may have one. */
export function tabTrouble(document: Document.Parsed | undefined, text: string): Trouble | undefined {
  const tabs = [...text.matchAll(/^ *(?:- +)*(?:- *)?\t/gm)];
  if (tabs.length === 0) return undefined;
  const shelters = document === undefined ? [] : sheltersIn(document, text);
  let next = 0;
  const bare = tabs.find(({ index, 0: { length } }) => {
    while ((shelters[next]?.end ?? text.length) <= index) next++;
    const shelter = shelters[next];
    return shelter === undefined || index <= shelter.start || length <= shelter.indent;
  });
  return bare === undefined
    ? undefined
    : { offset: bare.index, reason: 'a tab is used for indentation, where only spaces are allowed' };
}

interface Shelter {
  readonly start: number;
  readonly end: number;
  /** The column from which on a tab does no harm. */
  readonly indent: number;
}

/** In the order in which they stand, and none inside of another. */
function sheltersIn(document: Document.Parsed, text: string): readonly Shelter[] {
  const shelters: Shelter[] = [];
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [0, 0];
      if (start < (shelters.at(-1)?.end ?? 0)) return;
      if (isScalar(node) && node.type?.startsWith('BLOCK') === true) {
        shelters.push({ start, end, indent: blockIndent(text.slice(start, end)) });
      } else if (isScalar(node) ? node.type?.startsWith('QUOTE') : isCollection(node) && node.flow === true) {
        shelters.push({ start, end, indent: 0 });
      }
    },
  });
  return shelters;
}

/** Where the first line of a block begins that is not empty. */
function blockIndent(block: string): number {
  const [, blanks] = /\n( *)[^ \n\r]/.exec(block) ?? [];
  return blanks?.length ?? Number.POSITIVE_INFINITY;
}
