/** What cloudbase-init takes a text for. A template is rendered first, and then judged again. */
export type UserDataKind =
  | { readonly kind: 'mime' }
  | { readonly kind: 'template' }
  | { readonly kind: 'cloud-config' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'script'; readonly interpreter: Interpreter }
  | { readonly kind: 'unknown' };

const MULTIPART = 'Content-Type: multipart';
const PEM_HEADER = '-----BEGIN CERTIFICATE-----';

/** Judges user-data in the order of cloudbase-init. */
export function classify(text: string): UserDataKind {
  if (firstParagraph(text).includes(MULTIPART)) return { kind: 'mime' };
  return templateEngine(text) === 'jinja' ? { kind: 'template' } : classifyPlain(text);
}

/** The same for what is neither MIME nor a template, or has been rendered. */
export function classifyPlain(text: string): UserDataKind {
  if (text.startsWith('#cloud-config')) return { kind: 'cloud-config' };
  if (text.replace(/^[\t-\r ]+/, '').startsWith(PEM_HEADER)) return { kind: 'certificate' };
  const interpreter = interpreterOfText(text);
  return interpreter === undefined ? { kind: 'unknown' } : { kind: 'script', interpreter };
}

/** All before the first empty line. In a text with CRLF there is none: all of it counts. */
function firstParagraph(text: string): string {
  return text.split('\n\n', 1)[0] ?? '';
}

/** The engine that the first line asks for, in lower case; `undefined` if it asks for none. */
export function templateEngine(text: string): string | undefined {
  return /^##\s*template:([^\n]*)/i.exec(text)?.[1]?.trim().toLowerCase();
}

/** A template without its first line, which is not part of what is rendered. */
export function withoutTemplateLine(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? '' : text.slice(end + 1);
}

/** What runs a script. */
export type Interpreter = 'cmd' | 'python' | 'bash' | 'powershell' | 'powershell-x86' | 'program' | 'ec2';

/** In the order in which cloudbase-init tries them; only the last is looked for anywhere. Blanks are those of ASCII. */
const MARKERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^rem[\t-\r ]+cmd[\t-\r ]/, 'cmd'],
  [/^#![\t-\r ]*\/usr\/bin\/env[\t-\r ]+python[\t-\r ]/, 'python'],
  [/^#!/, 'bash'],
  [/^#(ps1|ps1_sysnative)[\t-\r ]/, 'powershell'],
  [/^#ps1_x86[\t-\r ]/, 'powershell-x86'],
  [/<\/?(script|powershell)>/, 'ec2'],
];

const EXTENSIONS: ReadonlyMap<string, Interpreter> = new Map([
  ['cmd', 'cmd'],
  ['py', 'python'],
  ['exe', 'program'],
  ['sh', 'bash'],
  ['ps1', 'powershell'],
]);

/** What runs a text, by its marker; `undefined` if nothing does. */
export function interpreterOfText(text: string): Interpreter | undefined {
  return MARKERS.find(([marker]) => marker.test(text))?.[1];
}

/** What runs a named file: its extension decides, and its marker only where that says nothing. */
export function interpreterOfFile(name: string, text: string): Interpreter | undefined {
  // Dots at the beginning of a name begin no extension.
  const extension = /[^.\\/]\.+([^.\\/]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return EXTENSIONS.get(extension) ?? interpreterOfText(text);
}

/** The blocks of EC2's format in the order in which they run: every `<script>`, then every `<powershell>`. */
export function ec2Blocks(text: string): readonly Ec2Block[] {
  return [...blocksOf(text, 'script', 'cmd'), ...blocksOf(text, 'powershell', 'powershell')];
}

/** One block of EC2's format. */
export interface Ec2Block {
  readonly interpreter: Interpreter;
  readonly code: string;
  /** Where it begins in the text. */
  readonly offset: number;
}

function blocksOf(text: string, tag: string, interpreter: Interpreter): readonly Ec2Block[] {
  const [opening, closing] = [`<${tag}>`, `</${tag}>`];
  const blocks: Ec2Block[] = [];
  for (let offset = text.indexOf(opening); offset !== -1;) {
    const start = offset + opening.length;
    // At least one letter stands between the tags.
    const end = text.indexOf(closing, start + 1);
    if (end === -1) break;
    blocks.push({ interpreter, code: trimmed(text.slice(start, end)), offset });
    offset = text.indexOf(opening, end + closing.length);
  }
  return blocks.filter(({ code }) => code !== '');
}

/** Without the blanks of ASCII at either end. */
function trimmed(code: string): string {
  const first = code.search(/[^\t-\r ]/);
  if (first === -1) return '';
  let end = code.length;
  while (/[\t-\r ]/.test(code[end - 1] ?? '')) end--;
  return code.slice(first, end);
}
