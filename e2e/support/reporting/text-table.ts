/** A table as people read it: columns as wide as their widest cell, numbers on the right. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? '').length)));
  const line = (row: readonly (string | number)[]): string =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

function pad(cell: string | number, width: number): string {
  return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
}
