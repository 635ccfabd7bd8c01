import { lineFinder, type PlacedText } from './placed-text.ts';
import { type InstanceKnowledge, instanceVariable } from './version.ts';
import { cutTemplate, type TemplateMistake, type TemplateNode } from './jinja-nodes.ts';

/** What a template becomes on the machine. Values that only the machine knows are made up. */
export type Rendering =
  | { readonly kind: 'rendered'; readonly result: PlacedText; readonly nodes: readonly PlacedNode[] }
  | { readonly kind: 'failed'; readonly line: number; readonly reason: string };

/** A node of the template, and its line in the file. */
export interface PlacedNode {
  readonly node: TemplateNode;
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
  const nodes = cut.map((node) => ({ node, line: place(node.offset) }));
  const fatal = nodes.find(({ node }) => node.kind === 'expression' && fails(node, knowledge));
  if (fatal?.node.kind === 'expression') {
    return { kind: 'failed', line: fatal.line, reason: `"${fatal.node.source}" refers to a part of a missing value` };
  }
  return { kind: 'rendered', result: assembled(nodes, knowledge, template, lineOf), nodes };
}

function isMistake(cut: readonly TemplateNode[] | TemplateMistake): cut is TemplateMistake {
  return 'reason' in cut;
}

function fails({ expression }: Extract<TemplateNode, { kind: 'expression' }>, knowledge: InstanceKnowledge): boolean {
  return expression.kind === 'variable' && instanceVariable(expression.names, knowledge) === 'fails';
}

/** Puts the values in, and remembers of every line where it began. */
function assembled(
  nodes: readonly PlacedNode[],
  knowledge: InstanceKnowledge,
  template: PlacedText,
  lineOf: (offset: number) => number,
): PlacedText {
  const lines: number[] = [];
  const values: string[] = [];
  let count = 0;
  let atStart = true;
  for (const { node } of nodes) {
    const first = lineOf(node.offset);
    const value = valueOf(node, knowledge);
    if (value === '') continue;
    if (atStart) lines[count] = first;
    const breaks = value.split('\n').length - 1;
    for (let index = 1; index <= breaks; index++) lines[count + index] = first + (node.kind === 'text' ? index : 0);
    count += breaks;
    atStart = value.endsWith('\n');
    values.push(value);
  }
  const result = values.join('');
  return { text: result, lineAt: (line) => template.lineAt(lines[line - 1] ?? lines.at(-1) ?? 1) };
}

function valueOf(node: TemplateNode, knowledge: InstanceKnowledge): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'comment':
    case 'statement':
      return '';
    case 'expression':
      return expressionValue(node.expression, knowledge);
  }
}

function expressionValue(
  expression: Extract<TemplateNode, { kind: 'expression' }>['expression'],
  knowledge: InstanceKnowledge,
): string {
  if (expression.kind === 'text') return expression.value;
  if (expression.kind !== 'variable') return MADE_UP;
  const { names } = expression;
  return instanceVariable(names, knowledge) === 'missing' ? `CI_MISSING_JINJA_VAR/${names.at(-1) ?? ''}` : MADE_UP;
}
