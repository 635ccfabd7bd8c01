import { interpreterOfText, type Interpreter } from './script-kind.ts';

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
