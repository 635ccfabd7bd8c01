import { lineFinder, type PlacedText } from './placed-text.ts';
import { type InstanceKnowledge, instanceVariable } from './version.ts';

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
    return { kind: 'failed', line: fatal.line, reason: `"${fatal.node.source}" asks for a part of what is not there` };
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

/** A template, cut into what Jinja sees. Offsets count in the template itself. */
type TemplateNode =
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  | { readonly kind: 'expression'; readonly offset: number; readonly source: string; readonly expression: Expression }
  | { readonly kind: 'comment'; readonly offset: number; readonly source: string }
  | { readonly kind: 'statement'; readonly offset: number; readonly source: string };

interface TemplateMistake {
  readonly offset: number;
  readonly reason: string;
}

/** The nodes of a template, or the place that keeps all of it from being rendered. */
type CutTemplate = readonly TemplateNode[] | TemplateMistake;

const STATEMENTS =
  /^(?:if|elif|else|endif|for|endfor|set|endset|with|endwith|filter|endfilter|macro|endmacro|call|endcall|block|endblock|autoescape|endautoescape|do|include|import|from|extends|print|break|continue)\b/;
const OPENING = /\{[{%#]/g;
const RAW_BEGIN = /\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})/y;
const RAW_END = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g;

/** Cuts a template as Jinja's lexer does with `trim_blocks`: a line end after a block or a comment goes with it. */
function cutTemplate(template: string): CutTemplate {
  const nodes: TemplateNode[] = [];
  let at = 0;
  while (at < template.length) {
    OPENING.lastIndex = at;
    const open = OPENING.exec(template)?.index ?? template.length;
    if (open > at) nodes.push({ kind: 'text', offset: at, text: template.slice(at, open) });
    if (open === template.length) break;
    const taken = takeTag(template, open);
    if ('reason' in taken) return taken;
    if (taken.strips) stripBefore(nodes);
    if (taken.node !== undefined) nodes.push(taken.node);
    at = taken.end;
  }
  return nodes;
}

interface Taken {
  /** Nothing is left of a raw block without content. */
  readonly node: TemplateNode | undefined;
  readonly end: number;
  /** Whether the tag takes the blanks before it away. */
  readonly strips: boolean;
}

function takeTag(template: string, open: number): Taken | TemplateMistake {
  RAW_BEGIN.lastIndex = open;
  const raw = RAW_BEGIN.exec(template);
  if (raw !== null) return takeRaw(template, open, raw[0]);
  const tag = template.slice(open, open + 2);
  if (tag === '{#') return takeComment(template, open);
  return tag === '{{' ? takeExpression(template, open) : takeStatement(template, open);
}

function takeRaw(template: string, open: number, opening: string): Taken | TemplateMistake {
  const start = open + opening.length;
  // Jinja looks for an end only where something is left to look through.
  if (start === template.length) return nothing(template, opening.startsWith('{%-'));
  RAW_END.lastIndex = start;
  const end = RAW_END.exec(template);
  if (end === null) return { offset: open, reason: 'a "raw" block has no "{% endraw %}"' };
  const inside = template.slice(start, end.index);
  const text = end[1] === '-' ? inside.trimEnd() : inside;
  return {
    node: text === '' ? undefined : { kind: 'text', offset: start, text },
    end: RAW_END.lastIndex,
    strips: opening.startsWith('{%-'),
  };
}

function takeComment(template: string, open: number): Taken | TemplateMistake {
  const opening = /^\{#[-+]?/.exec(template.slice(open, open + 3))?.[0] ?? '';
  if (open + opening.length === template.length) return nothing(template, opening === '{#-');
  const close = template.indexOf('#}', open + 2);
  if (close === -1) return { offset: open, reason: '"{#" begins a comment that is never closed' };
  const source = template.slice(open, close + 2);
  const end = afterTag(template, close, template[close - 1] ?? '', { trims: true });
  return { node: { kind: 'comment', offset: open, source }, end, strips: source.startsWith('{#-') };
}

function nothing({ length: end }: string, strips: boolean): Taken {
  return { node: undefined, end, strips };
}

function takeExpression(template: string, open: number): Taken | TemplateMistake {
  const close = endOf(template, open + 2, '}}');
  if (close === undefined) return { offset: open, reason: '"{{" begins an expression that is never closed' };
  const source = template
    .slice(open + 2, close)
    .replace(/^[-+]/, '')
    .replace(/-$/, '');
  const expression = readExpression(source);
  if (expression.kind === 'broken') return { offset: open, reason: `"{{${source}}}" is not a Jinja expression` };
  const end = afterTag(template, close, template[close - 1] ?? '', { trims: false });
  const node: TemplateNode = { kind: 'expression', offset: open, source: source.trim(), expression };
  return { node, end, strips: template.startsWith('{{-', open) };
}

function takeStatement(template: string, open: number): Taken | TemplateMistake {
  const close = endOf(template, open + 2, '%}');
  if (close === undefined) return { offset: open, reason: '"{%" begins a statement that is never closed' };
  const source = template
    .slice(open + 2, close)
    .replace(/^[-+]/, '')
    .replace(/[-+]$/, '')
    .trim();
  if (!STATEMENTS.test(source)) return { offset: open, reason: `"{% ${source} %}" is not a Jinja statement` };
  const end = afterTag(template, close, template[close - 1] ?? '', { trims: true });
  return { node: { kind: 'statement', offset: open, source }, end, strips: template.startsWith('{%-', open) };
}

/** Quotes and brackets keep an end from being one; a quote that never closes ends nothing. */
function endOf(template: string, start: number, end: string): number | undefined {
  let depth = 0;
  for (let at = start; at < template.length; at++) {
    const sign = template[at] ?? '';
    if (depth === 0 && template.startsWith(end, at)) return at;
    if (sign === '"' || sign === "'") {
      const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/s.exec(template.slice(at))?.[0];
      if (quoted === undefined) return undefined;
      at += quoted.length - 1;
    } else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
  }
  return undefined;
}

/** A dash takes all blanks after the tag away, and `trim_blocks` one line end unless a plus says no. */
function afterTag(template: string, close: number, sign: string, { trims }: { readonly trims: boolean }): number {
  const end = close + 2;
  if (sign === '-') return end + (/^\s*/.exec(template.slice(end))?.[0].length ?? 0);
  return trims && sign !== '+' && template[end] === '\n' ? end + 1 : end;
}

function stripBefore(nodes: TemplateNode[]): void {
  const last = nodes.at(-1);
  if (last?.kind !== 'text') return;
  nodes.pop();
  const text = last.text.trimEnd();
  if (text !== '') nodes.push({ ...last, text });
}

/** What stands between `{{` and `}}`, as far as it can be judged without running it. */
type Expression =
  | { readonly kind: 'variable'; readonly names: readonly string[] }
  | { readonly kind: 'text'; readonly value: string }
  /** Right as far as one can see, but only Jinja knows what comes of it. */
  | { readonly kind: 'other' }
  | { readonly kind: 'broken' };

const NAME = String.raw`[A-Za-z_]\w*`;
const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
const VARIABLE = new RegExp(String.raw`^${NAME}(?:\s*\.\s*${NAME}|\s*\[\s*(?:${STRING})\s*\])*$`);
const WHOLE_STRING = new RegExp(`^(?:${STRING})$`);
const MEMBER = new RegExp(`${NAME}|${STRING}`, 'g');
const TOKEN = new RegExp(String.raw`\s+|${STRING}|${NAME}|\d[\w.]*|\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]`, 'y');

function readExpression(source: string): Expression {
  const text = source.trim();
  if (text === '') return { kind: 'broken' };
  if (WHOLE_STRING.test(text)) return { kind: 'text', value: unquote(text) };
  if (VARIABLE.test(text))
    return { kind: 'variable', names: [...text.matchAll(MEMBER)].map(([each]) => unquote(each)) };
  return isPlausible(text) ? { kind: 'other' } : { kind: 'broken' };
}

/** Only tokens that Jinja has, in brackets that close, with no operand missing at either end. */
function isPlausible(text: string): boolean {
  const tokens = tokensOf(text);
  if (tokens === undefined || !isBalanced(tokens)) return false;
  const [first = '', last = ''] = [tokens[0], tokens.at(-1)];
  if (/^[.|,:;=*/%~<>)\]}]/.test(first) || /^[.|,:;=*/%~<>+-]$/.test(last)) return false;
  return !tokens.some((token, index) => isOperand(token) && isOperand(tokens[index + 1] ?? ''));
}

const WORDS = ['and', 'or', 'not', 'in', 'is', 'if', 'else'];

/** Two of these beside each other are two expressions, unless one is a word of the language. */
function isOperand(token: string): boolean {
  return /^[\w"']/.test(token) && !WORDS.includes(token);
}

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token.trim() !== '') tokens.push(token);
    if (TOKEN.lastIndex === text.length) return tokens;
  }
  return undefined;
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function isBalanced(tokens: readonly string[]): boolean {
  const open: string[] = [];
  for (const token of tokens) {
    if (/^[([{]$/.test(token)) open.push(token);
    else if (PAIRS[token] !== undefined && open.pop() !== PAIRS[token]) return false;
  }
  return open.length === 0;
}

function unquote(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : text;
}
