import * as z from 'zod/mini';
import { effectOf, WORKS } from '../reading/effects.ts';
import { fieldPaths, isMapping, parentPath, shapeOf } from '../reading/schema-shape.ts';
import { duration } from '../scalars.ts';
import { DOCUMENTED_FILES, meaningAt, schemaAt, valueAt, type DocumentedFile } from './documented-file.ts';

const HEAD = `# Configuration files

<!-- Made by scripts/reference.ts from the schemas. Do not edit: change the schemas, then run it again. -->

Both files are KubeEdge's, field by field: what its tools wrote is read unchanged. What a file leaves out, or sets to
\`null\`, has its default; a mapping is added to the default, a list replaces it. An unknown key is an error
that names the nearest known one. A field marked with **no effect** is understood, and the program says at its start
that it does nothing. For editors there are [edgecore.schema.json](edgecore.schema.json) and
[cloudcore.schema.json](cloudcore.schema.json).
`;

/** `docs/reference/config.md`: every field of every file, with its default and its meaning. */
export function configPageText(): string {
  return [HEAD, ...DOCUMENTED_FILES.map(fileText)].join('\n');
}

function fileText(file: DocumentedFile): string {
  const paths = fieldPaths(file.schema);
  const parents = ['', ...paths.filter((path) => isMappingAt(path, file))];
  const sections = parents.map((parent) =>
    sectionText(
      parent,
      paths.filter((path) => parentPath(path) === parent && !isMappingAt(path, file)),
      file,
    ),
  );
  return [`## ${file.name}.yaml\n\n${file.introduction}\n`, ...sections.filter((text) => text !== '')].join('\n');
}

function sectionText(parent: string, paths: readonly string[], file: DocumentedFile): string {
  if (paths.length === 0) return '';
  const title =
    parent === '' ? '### Top level' : `### ${parent}\n\n${meaningAt(file.schema, parent)}${markOf(parent, file)}`;
  const header = '| Field | Type | Default | Meaning |\n| --- | --- | --- | --- |';
  return `${title}\n\n${header}\n${paths.map((path) => rowText(path, parent, file)).join('\n')}\n`;
}

function rowText(path: string, parent: string, file: DocumentedFile): string {
  const name = parent === '' ? path : path.slice(parent.length + 1);
  const meaning = `${meaningAt(file.schema, path)}${differenceOf(path, parent, file)}`;
  const cells = [`\`${name}\``, typeText(schemaAt(file.schema, path)), defaultText(path, file), meaning];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function differenceOf(path: string, parent: string, file: DocumentedFile): string {
  const { effects } = file;
  if (effectOf(effects, path) === effectOf(effects, parent)) return '';
  return effectOf(effects, path) === WORKS ? ' **Has effect.**' : markOf(path, file);
}

function markOf(path: string, { effects }: DocumentedFile): string {
  const effect = effectOf(effects, path);
  return effect === WORKS ? '' : ` **No effect:** ${effect}.`;
}

function defaultText(path: string, { defaults, windowsDefaults }: DocumentedFile): string {
  const here = valueText(valueAt(defaults, path));
  if (windowsDefaults === undefined) return here;
  const windows = valueText(valueAt(windowsDefaults, path));
  return here === windows ? here : `${here}; Windows: ${windows}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return 'not set';
  if (isMapping(value)) return entriesText(Object.entries(value).map(([key, part]) => `${key}: ${String(part)}`));
  return `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``;
}

function entriesText(entries: readonly string[]): string {
  return entries.length === 0 ? '`{}`' : entries.map((entry) => `\`${entry}\``).join(', ');
}

function isMappingAt(path: string, { schema }: DocumentedFile): boolean {
  return shapeOf(schemaAt(schema, path)).kind === 'mapping';
}

/** What may be written there, in a word or two. */
function typeText(schema: unknown): string {
  if (schema instanceof z.ZodMiniOptional) return typeText(schema.def.innerType);
  if (schema instanceof z.ZodMiniString && schema.def === duration.def) return 'span of time';
  if (schema instanceof z.ZodMiniEnum) return schema.options.map((value) => `\`${value}\``).join(' or ');
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values.map((value) => `\`${String(value)}\``).join(' or ');
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.map(typeText).join(' or ');
  const shape = shapeOf(schema);
  if (shape.kind === 'list') return `list of ${typeText(shape.element)}`;
  if (shape.kind === 'names') return `names with ${typeText(shape.value)}`;
  if (shape.kind === 'mapping') return `mapping (${Object.keys(shape.fields).join(', ')})`;
  return NAMES[shape.kind === 'scalar' ? numberKind(schema) : shape.kind] ?? '';
}

const NAMES: Readonly<Record<string, string>> = {
  text: 'text',
  switch: 'true or false',
  number: 'number',
  integer: 'whole number',
};

function numberKind(schema: unknown): string {
  return schema instanceof z.ZodMiniNumberFormat ? 'integer' : 'number';
}
