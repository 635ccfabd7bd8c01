import { keyOf } from '../../../hcl/constant.ts';
import { callsIn, referencesIn } from '../../../hcl/references.ts';
import { HclError, isMark, type TemplatePart, type Token } from '../../../hcl/token.ts';
import { tokenizeTemplate } from '../../../hcl/tokenize.ts';
import type { ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';
import { misspelled } from './functions.ts';
import { projectPath } from './missing-files.ts';
import { unbalanced } from './template-blocks.ts';

/** Words that a template's own language has. */
const WORDS = ['if', 'else', 'endif', 'for', 'in', 'endfor', 'true', 'false', 'null'];

/** Files that are filled in: what they want and are not given, and what they are given and do not want. */
export function templates(model: ProjectModel): readonly ProjectProblem[] {
  return model.attributes.flatMap(({ file, value }) =>
    callsIn(value)
      .filter(({ name }) => name === 'templatefile')
      .flatMap(({ args: [path = [], values = []], line }) => {
        const template = projectPath(path, file);
        const text = template === undefined ? undefined : model.files.get(template);
        const given = keysOf(values);
        if (template === undefined || text === undefined || given === undefined) return [];
        return judge({ template, text, given, file, line });
      }),
  );
}

interface Filling {
  readonly template: string;
  readonly text: string;
  readonly given: readonly string[];
  /** Where it is filled in. */
  readonly file: string;
  readonly line: number;
}

function judge({ template, text, given, file, line }: Filling): readonly ProjectProblem[] {
  const parts = tryRead(template, text);
  if ('message' in parts) return [parts];
  const wanted = wantedNames(parts);
  return [
    ...unbalanced(template, parts),
    ...misspelled(
      template,
      parts.flatMap((part) => (part.kind === 'text' ? [] : callsIn(part.tokens))),
    ),
    ...wanted
      .filter(({ name }) => !given.includes(name))
      .map((place) => error(template, place.line, `"${place.name}" is not given to this template`)),
    ...given
      .filter((name) => !wanted.some((place) => place.name === name))
      .map((name) => error(file, line, `"${name}" is given to "${template}", which does not use it`)),
  ];
}

function tryRead(template: string, text: string): readonly TemplatePart[] | ProjectProblem {
  try {
    return tokenizeTemplate(text);
  } catch (cause) {
    if (!(cause instanceof HclError)) throw cause;
    return error(template, cause.line, cause.message);
  }
}

/** The names that a template takes from outside; those of its own loops are not among them. */
function wantedNames(parts: readonly TemplatePart[]): readonly { readonly name: string; readonly line: number }[] {
  const inserted = parts.filter((part) => part.kind !== 'text');
  const loops = inserted.filter(({ kind }) => kind === 'directive').flatMap(({ tokens }) => loopNames(tokens));
  return inserted
    .flatMap(({ tokens }) => referencesIn(tokens))
    .filter(({ root }) => !WORDS.includes(root) && !loops.includes(root))
    .map(({ root, line }) => ({ name: root, line }));
}

/** `for a, b in …` */
function loopNames([first, ...rest]: readonly Token[]): readonly string[] {
  if (first?.kind !== 'name' || first.text !== 'for') return [];
  const end = rest.findIndex((token) => token.kind === 'name' && token.text === 'in');
  return rest.slice(0, Math.max(0, end)).flatMap((token) => (token.kind === 'name' ? [token.text] : []));
}

/** The keys of an object that is written out; `undefined` for one that comes from elsewhere. */
function keysOf(tokens: readonly Token[]): readonly string[] | undefined {
  const [first, second] = tokens.filter(({ kind }) => kind !== 'newline');
  if (!isMark(first, '{') || (second?.kind === 'name' && second.text === 'for')) return undefined;
  let depth = 0;
  return tokens.flatMap((token, index) => {
    if (token.kind === 'mark' && '([{'.includes(token.text)) depth += 1;
    if (token.kind === 'mark' && ')]}'.includes(token.text)) depth -= 1;
    const key = depth === 1 && beginsEntry(tokens[index - 1]) ? keyOf(token) : undefined;
    return key === undefined ? [] : [key];
  });
}

function beginsEntry(previous: Token | undefined): boolean {
  return previous?.kind === 'newline' || isMark(previous, '{') || isMark(previous, ',');
}

function error(file: string, line: number, message: string): ProjectProblem {
  return { file, line, severity: 'error', message };
}
