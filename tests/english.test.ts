import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { datedWords, unplainWords } from './english/plain-words.ts';
import { sourceComments, sourceTexts } from './english/source-texts.ts';

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'bench/*.md', '.changeset/*.md'];
const NOT_FOR_USERS = /\.test\.ts$|\/(testing|fixtures|contract)\//;

test('documents use plain words', () => {
  const files = DOCUMENTS.flatMap((pattern) => globSync(pattern)).filter((file) => file !== 'CHANGELOG.md');
  expect(files.flatMap((file) => problems(file, withoutNames(readFileSync(file, 'utf8'))))).toEqual([]);
});

test('texts for users, errors and logs use plain words', () => {
  const files = globSync('{packages,apps}/*/src/**/*.ts').filter((file) => !NOT_FOR_USERS.test(file));
  expect(files.flatMap((file) => problemsOfSource(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('comments and names of tests have no dated words', () => {
  const files = globSync('{packages,apps,e2e,tests,scripts,bench,build}/**/*.ts').filter(
    (file) => !file.includes('node_modules/') && !file.startsWith('tests/english'),
  );
  expect(files.flatMap((file) => datedTexts(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('the scan leaves out comments, identifiers and regular expressions', () => {
  const source = "// anew\nconst anew = /anew/.test(a / b ? `x ${anew ? '{' : c} y` : 'anew'); /* anew */ `z`;";
  expect(sourceTexts(source).map(({ text }) => text)).toEqual(['`x ${', "'{'", '} y`', "'anew'", '`z`']);
});

test('comments are scanned, templates and regular expressions are not', () => {
  const source = 'const a = /anew/; // anew\nconst b = `${a /* mend */} nobody`;';
  expect(sourceComments(source).map(({ text }) => text)).toEqual(['// anew', '/* mend */']);
});

test.each([
  ['as\nwanted', ['as wanted: write up to date']],
  ['"x" is no folder', ['is no f: write is not a ...']],
  ['there is no folder, and it is no longer needed', []],
])('finds the words in %j', (text, words) => {
  expect(unplainWords(text).map(({ word, plain }) => `${word}: write ${plain}`)).toEqual(words);
});

function datedTexts(file: string, source: string): string[] {
  if (datedWords(source).length === 0) return [];
  const names = file.endsWith('.test.ts') ? sourceTexts(source).filter(({ start }) => namesTest(source, start)) : [];
  return [...sourceComments(source), ...names].flatMap(({ start, text }) =>
    problems(file, text, source.slice(0, start), datedWords),
  );
}

function namesTest(source: string, start: number): boolean {
  return /\b(test|describe)\($|\]\)\($/.test(source.slice(Math.max(0, start - 20), start).trimEnd());
}

/** A literal without a blank is a name: of a file, a key, a state. */
function problemsOfSource(file: string, source: string): string[] {
  // Most files have none of the words even in their comments, and need no scan.
  if (unplainWords(source).length === 0) return [];
  return sourceTexts(source)
    .filter(({ text }) => /\s/.test(text))
    .flatMap(({ start, text }) => problems(file, text, source.slice(0, start)));
}

function problems(file: string, text: string, before = '', scan = unplainWords): string[] {
  return scan(text).map(({ index, word, plain }) => {
    const line = (before + text.slice(0, index)).split('\n').length;
    return `${file}:${line} "${word}": write ${plain}`;
  });
}

/** Names of files, flags and keys in a document are not prose; blanks in their place keep the lines. */
function withoutNames(markdown: string): string {
  return markdown.replaceAll(/`[^`\s]+`|\]\([^)]*\)/g, (name) => name.replaceAll(/\S/g, ' '));
}
