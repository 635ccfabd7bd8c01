import { type Expression, readExpression } from './jinja-expression.ts';

/** A template, cut into what Jinja sees. Offsets count in the template itself. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  | { readonly kind: 'expression'; readonly offset: number; readonly source: string; readonly expression: Expression }
  | { readonly kind: 'comment'; readonly offset: number; readonly source: string }
  | { readonly kind: 'statement'; readonly offset: number; readonly source: string };

/** Where Jinja gives up, and why. */
export interface TemplateMistake {
  readonly offset: number;
  readonly reason: string;
}

/** The nodes of a template, or the place that keeps all of it from being rendered. */
export type CutTemplate = readonly TemplateNode[] | TemplateMistake;

const STATEMENTS =
  /^(?:if|elif|else|endif|for|endfor|set|endset|with|endwith|filter|endfilter|macro|endmacro|call|endcall|block|endblock|autoescape|endautoescape|do|include|import|from|extends|print|break|continue)\b/;
const OPENING = /\{[{%#]/g;
const RAW_BEGIN = /\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})/y;
const RAW_END = /\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)/g;

/** Cuts a template as Jinja's lexer does with `trim_blocks`: a line end after a block or a comment goes with it. */
export function cutTemplate(template: string): CutTemplate {
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
