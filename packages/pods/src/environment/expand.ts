/**
 * Replaces `$(NAME)` by the value of a variable. A name that is not known stays as it is written, and `$$` stands for
 * `$`. The time grows with the length of the text: a pod's author may try what takes longer.
 */
export function expand(text: string, lookup: (name: string) => string | undefined): string {
  const parts: string[] = [];
  let start = 0;
  let at = text.indexOf('$');
  const lastClose = text.lastIndexOf(')');
  while (at !== -1 && at + 1 < text.length) {
    parts.push(text.slice(start, at));
    const end = text[at + 1] === '(' && lastClose > at ? text.indexOf(')', at) : at + 1;
    parts.push(end === at + 1 ? escaped(text, at) : substitute(text.slice(at, end + 1), lookup));
    start = end + 1;
    at = text.indexOf('$', start);
  }
  return parts.join('') + text.slice(start);
}

function escaped(text: string, at: number): string {
  return text[at + 1] === '$' ? '$' : text.slice(at, at + 2);
}

function substitute(reference: string, lookup: (name: string) => string | undefined): string {
  return lookup(reference.slice(2, -1)) ?? reference;
}
