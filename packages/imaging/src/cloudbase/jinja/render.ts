import { lineFinder, type PlacedText } from '../placed-text.ts';
import { type InstanceKnowledge, instanceVariable } from '../version.ts';
import { cutTemplate, type Piece, type TemplateMistake } from './template-pieces.ts';

/** What a template becomes on the machine. Values that only the machine knows are made up. */
export type Rendering =
  | { readonly kind: 'rendered'; readonly result: PlacedText; readonly pieces: readonly PlacedPiece[] }
  | { readonly kind: 'failed'; readonly line: number; readonly reason: string };

/** A piece of the template, and its line in the file. */
export interface PlacedPiece {
  readonly piece: Piece;
  readonly line: number;
}

/** Stands for whatever the machine knows of itself; a host name, so that it fits where one is asked for. */
const MADE_UP = 'win-node-0';

/** Renders a template, already without its first line, as Jinja does: every line end becomes LF, and the last one goes. */
export function renderTemplate(template: PlacedText, knowledge: InstanceKnowledge): Rendering {
  const text = template.text.replaceAll(/\r\n|\r/g, '\n').replace(/\n$/, '');
  const lineOf = lineFinder(text);
  const place = (offset: number): number => template.lineAt(lineOf(offset));
  const cut = cutTemplate(text);
  if (isMistake(cut)) return { kind: 'failed', line: place(cut.offset), reason: cut.reason };
  const pieces = cut.map((piece) => ({ piece, line: place(piece.offset) }));
  const fatal = pieces.find(({ piece }) => piece.kind === 'expression' && fails(piece, knowledge));
  if (fatal?.piece.kind === 'expression') {
    return { kind: 'failed', line: fatal.line, reason: `"${fatal.piece.source}" asks for a part of what is not there` };
  }
  return { kind: 'rendered', result: assembled(pieces, knowledge, template, lineOf), pieces };
}

function isMistake(cut: readonly Piece[] | TemplateMistake): cut is TemplateMistake {
  return 'reason' in cut;
}

function fails({ expression }: Extract<Piece, { kind: 'expression' }>, knowledge: InstanceKnowledge): boolean {
  return expression.kind === 'variable' && instanceVariable(expression.names, knowledge) === 'fails';
}

/** Puts the values in, and remembers of every line where it began. */
function assembled(
  pieces: readonly PlacedPiece[],
  knowledge: InstanceKnowledge,
  template: PlacedText,
  lineOf: (offset: number) => number,
): PlacedText {
  const lines: number[] = [];
  const values: string[] = [];
  let count = 0;
  let atStart = true;
  for (const { piece } of pieces) {
    const first = lineOf(piece.offset);
    const value = valueOf(piece, knowledge);
    if (value === '') continue;
    if (atStart) lines[count] = first;
    const breaks = value.split('\n').length - 1;
    for (let index = 1; index <= breaks; index++) lines[count + index] = first + (piece.kind === 'text' ? index : 0);
    count += breaks;
    atStart = value.endsWith('\n');
    values.push(value);
  }
  const result = values.join('');
  return { text: result, lineAt: (line) => template.lineAt(lines[line - 1] ?? lines.at(-1) ?? 1) };
}

function valueOf(piece: Piece, knowledge: InstanceKnowledge): string {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'comment':
    case 'statement':
      return '';
    case 'expression':
      return expressionValue(piece.expression, knowledge);
  }
}

function expressionValue(
  expression: Extract<Piece, { kind: 'expression' }>['expression'],
  knowledge: InstanceKnowledge,
): string {
  if (expression.kind === 'text') return expression.value;
  if (expression.kind !== 'variable') return MADE_UP;
  const { names } = expression;
  return instanceVariable(names, knowledge) === 'missing' ? `CI_MISSING_JINJA_VAR/${names.at(-1) ?? ''}` : MADE_UP;
}
