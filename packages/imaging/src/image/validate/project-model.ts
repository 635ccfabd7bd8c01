import { constantOf, type Constant } from '../../hcl/constant.ts';
import { parseHcl, type Attribute, type Block, type Body } from '../../hcl/parse.ts';
import { HclError } from '../../hcl/token.ts';
import type { ProjectProblem } from './project-problem.ts';

/** The files of a project by their paths below its folder, with `/`. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** A place in a project. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Something that a project declares. */
export interface Declared extends Place {
  readonly name: string;
}

/** A variable, with what is known of it. */
export interface DeclaredVariable extends Declared {
  /** `string`, `list(string)`; `undefined` where nothing is said. */
  readonly type: string | undefined;
  readonly hasDefault: boolean;
  readonly default: Constant | undefined;
}

/** A value that is given to a variable. */
export interface Override extends Declared {
  readonly value: Constant | undefined;
}

/** An attribute of any block, and the blocks it is in, the outermost first. */
export interface PlacedAttribute extends Attribute {
  readonly file: string;
  readonly within: readonly Block[];
}

/** A project as its files say it. */
export interface ProjectModel {
  readonly files: ProjectFiles;
  readonly variables: readonly DeclaredVariable[];
  readonly locals: readonly Declared[];
  /** Named `TYPE.NAME`. */
  readonly sources: readonly Declared[];
  readonly data: readonly Declared[];
  readonly plugins: readonly string[];
  readonly overrides: readonly Override[];
  readonly attributes: readonly PlacedAttribute[];
  readonly builds: readonly (Place & { readonly block: Block })[];
}

/** Of these Packer reads none below the project's own folder. */
const CONFIGURATION = /^[^/]*\.pkr\.hcl$/;
const OVERRIDES = /\.pkrvars\.hcl$/;

/** Whether there is anything that Packer would build. */
export function hasProject(files: ProjectFiles): boolean {
  return [...files.keys()].some((file) => CONFIGURATION.test(file));
}

/** Reads the files that Packer would read, and says where they are no HCL. */
export function readProject(files: ProjectFiles): { model: ProjectModel; problems: readonly ProjectProblem[] } {
  const problems: ProjectProblem[] = [];
  const parsed = (pattern: RegExp): readonly (readonly [string, Body])[] =>
    [...files].filter(([file]) => pattern.test(file)).flatMap(([file, text]) => parse(file, text, problems));
  const configuration = parsed(CONFIGURATION);
  const blocks = configuration.flatMap(([file, body]) => body.blocks.map((block) => ({ file, block })));
  const model: ProjectModel = {
    files,
    variables: blocks.filter(({ block }) => block.type === 'variable').map(variableOf),
    locals: blocks.flatMap(localsOf),
    sources: blocks.filter(({ block }) => block.type === 'source').map(labelled),
    data: blocks.filter(({ block }) => block.type === 'data').map(labelled),
    plugins: blocks.flatMap(({ block }) => pluginsOf(block)),
    overrides: parsed(OVERRIDES).flatMap(([file, body]) =>
      body.attributes.map((attribute) => overrideOf(file, attribute)),
    ),
    attributes: blocks.flatMap(({ file, block }) => attributesIn(file, block, [])),
    builds: blocks
      .filter(({ block }) => block.type === 'build')
      .map(({ file, block }) => ({ file, line: block.line, block })),
  };
  return { model, problems };
}

function parse(file: string, text: string, problems: ProjectProblem[]): readonly (readonly [string, Body])[] {
  try {
    return [[file, parseHcl(text)]];
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    problems.push({ file, line: error.line, severity: 'error', message: error.message });
    return [];
  }
}

interface PlacedBlock {
  readonly file: string;
  readonly block: Block;
}

function variableOf({ file, block }: PlacedBlock): DeclaredVariable {
  const attribute = (name: string) => block.body.attributes.find((found) => found.name === name);
  const type = attribute('type')?.value;
  const value = attribute('default')?.value;
  return {
    file,
    line: block.line,
    name: block.labels[0] ?? '',
    type: type?.map((token) => ('text' in token ? token.text : '')).join(''),
    hasDefault: value !== undefined,
    default: value === undefined ? undefined : constantOf(value),
  };
}

/** `locals { a = … }` declares many, `local "a" { … }` one. */
function localsOf({ file, block }: PlacedBlock): readonly Declared[] {
  if (block.type === 'local') return [{ file, line: block.line, name: block.labels[0] ?? '' }];
  if (block.type !== 'locals') return [];
  return block.body.attributes.map(({ name, line }) => ({ file, line, name }));
}

function labelled({ file, block }: PlacedBlock): Declared {
  return { file, line: block.line, name: block.labels.join('.') };
}

function pluginsOf({ type, body }: Block): readonly string[] {
  if (type !== 'packer') return [];
  return body.blocks
    .filter((block) => block.type === 'required_plugins')
    .flatMap((block) => block.body.attributes.map(({ name }) => name));
}

function overrideOf(file: string, { name, line, value }: Attribute): Override {
  return { file, line, name, value: constantOf(value) };
}

function attributesIn(file: string, block: Block, above: readonly Block[]): readonly PlacedAttribute[] {
  const within = [...above, block];
  return [
    ...block.body.attributes.map((attribute) => ({ ...attribute, file, within })),
    ...block.body.blocks.flatMap((inner) => attributesIn(file, inner, within)),
  ];
}
