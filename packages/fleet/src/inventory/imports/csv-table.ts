/** One row of a table, with the line it begins in. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table, or the line where a quote begins that is never closed. */
export type CsvTable = { readonly rows: readonly CsvRow[] } | { readonly unclosedAt: number };

/** Reads values separated by commas, semicolons or tabs, whichever the first line has most of; quotes as in RFC 4180. */
export function parseCsv(text: string): CsvTable {
  const characters = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(characters.split(/\r?\n/, 1)[0] ?? '');
  const rows: CsvRow[] = [];
  let [line, begun, quotedAt] = [1, 1, 0];
  let cells: string[] = [];
  let cell = '';
  const endRow = (): void => {
    cells.push(cell.trim());
    if (cells.some((value) => value !== '')) rows.push({ line: begun, cells });
    [cells, cell, begun] = [[], '', line + 1];
  };
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (quotedAt > 0) {
      if (character === '"' && characters[index + 1] === '"') [cell, index] = [`${cell}"`, index + 1];
      else if (character === '"') quotedAt = 0;
      else cell += character;
    } else if (character === '"' && cell.trim() === '') [cell, quotedAt] = ['', line];
    else if (character === separator) {
      cells.push(cell.trim());
      cell = '';
    } else if (character === '\n') endRow();
    else cell += character;
    if (character === '\n') line += 1;
  }
  if (quotedAt > 0) return { unclosedAt: quotedAt };
  endRow();
  return { rows };
}

function separatorOf(header: string): string {
  const count = (separator: string): number => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}
