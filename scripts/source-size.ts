import { globSync, readFileSync } from 'node:fs';

/** `node scripts/source-size.ts`: the size of packages and apps without tests, testing folders, fixtures and generated files. */
const TINY_FILE_LINES = 12;
const NOT_SOURCE = /\.test\.ts$|\/(testing|fixtures|generated)\/|\/node_modules\//;

const files = globSync('{packages,apps}/*/src/**/*.ts').filter((file) => !NOT_SOURCE.test(file));
const sizes = files.map((file) => ({ unit: file.split('/').slice(0, 2).join('/'), lines: linesOf(file) }));

const units = Object.entries(Object.groupBy(sizes, ({ unit }) => unit)).toSorted(([one], [other]) =>
  one.localeCompare(other),
);
for (const [unit, ofUnit = []] of units) printRow(unit, ofUnit);
printRow('total', sizes);

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

function printRow(name: string, rows: readonly { readonly lines: number }[]): void {
  const lines = rows.reduce((sum, row) => sum + row.lines, 0);
  const tiny = rows.filter((row) => row.lines <= TINY_FILE_LINES).length;
  console.log(
    `${name.padEnd(28)}${String(lines).padStart(8)} lines${String(rows.length).padStart(6)} files${String(tiny).padStart(5)} tiny`,
  );
}
