/** Whether a file's name is one of these. A `*` in a pattern stands for any characters. */
export function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => expressionOf(pattern).test(name));
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
