import type { TemplatePart } from '../../../hcl/token.ts';
import type { ProjectProblem } from '../project-problem.ts';

/** What ends a block of a template, by what begins it. */
const ENDS: Readonly<Record<string, string>> = { if: 'endif', for: 'endfor' };

interface Opened {
  readonly word: string;
  readonly line: number;
}

/** `%{ if … }` and `%{ for … }` that nothing ends, and ends of nothing. */
export function unbalanced(file: string, parts: readonly TemplatePart[]): readonly ProjectProblem[] {
  const open: Opened[] = [];
  for (const { word, line } of directives(parts)) {
    const inner = open.at(-1);
    if (word in ENDS) open.push({ word, line });
    else if (word === 'else' && inner?.word === 'if') continue;
    else if (inner !== undefined && ENDS[inner.word] === word) open.pop();
    else return [error(file, line, `"%{ ${word} }" has nothing to end here`)];
  }
  return open.map(({ word, line }) => error(file, line, `"%{ ${word} … }" has no "%{ ${ENDS[word] ?? ''} }"`));
}

function directives(parts: readonly TemplatePart[]): readonly Opened[] {
  return parts.flatMap((part) => {
    const word = part.kind === 'directive' ? part.tokens.find((token) => token.kind === 'name') : undefined;
    return word?.kind === 'name' ? [{ word: word.text, line: word.line }] : [];
  });
}

function error(file: string, line: number, message: string): ProjectProblem {
  return { file, line, severity: 'error', message };
}
