/**
 * What Packer makes of a template, as far as ours go: `${jsonencode(NAME)}`, `${indent(COUNT, NAME)}`, and
 * `%{ if NAME != "" || OTHER != "" }` which may hold others. What has no value is empty, and `labels` is a mapping.
 */
export function filledIn(template: string, values: Readonly<Record<string, string>>): string {
  const shown: boolean[] = [];
  const lines = template.split('\n').flatMap((line) => {
    const [, condition] = /^%\{ if (.+) \}$/.exec(line) ?? [];
    if (condition !== undefined) shown.push(holds(condition, values));
    if (line === '%{ endif }') shown.pop();
    return line.startsWith('%{') || shown.includes(false) ? [] : [line];
  });
  return lines
    .join('\n')
    .replaceAll('${jsonencode(labels)}', '{}')
    .replaceAll(/\$\{indent\((\d+), (\w+)\)\}/g, (_whole, count: string, name: string) =>
      (values[name] ?? '').replaceAll('\n', `\n${' '.repeat(Number(count))}`),
    )
    .replaceAll(/\$\{jsonencode\((\w+)\)\}/g, (_whole, name: string) => JSON.stringify(values[name] ?? ''));
}

function holds(condition: string, values: Readonly<Record<string, string>>): boolean {
  return condition.split(' || ').some((part) => {
    const [, name] = /^(\w+) != ""$/.exec(part) ?? [];
    if (name === undefined) throw new Error(`"${part}" is not a condition of ours`);
    return (values[name] ?? '') !== '';
  });
}
