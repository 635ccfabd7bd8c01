import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../beds/checkout.ts';

/** A test, by its file and by a part of its name that stands in that file. */
export interface Proof {
  readonly file: string;
  readonly test: string;
}

/** A test in Markdown, for a page in `docs/reference`. */
export function proofText({ file, test }: Proof): string {
  return `[${file}](../../${file}): \`${test}\``;
}

/** The names of the tests in a file, as they are written there. */
export function testNames(file: string): readonly string[] {
  const source = readFileSync(join(CHECKOUT, file), 'utf8');
  const names = /(?:\btest\(|\btest\.skipIf\(.*?\)\(|^ *\]\)\(|\btest\.each\(.*\)\()\s*(['"`])(.*?)\1,/gm;
  return [...source.matchAll(names)].map(([, , name = '']) => name);
}
