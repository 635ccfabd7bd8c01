/** What stands between `{{` and `}}`, as far as it can be judged without running it. */
export type Expression =
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

/** Reads the inside of an expression, without its braces. */
export function readExpression(source: string): Expression {
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
