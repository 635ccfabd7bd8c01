import * as z from 'zod/mini';
import { effectNotes, type ConfigNote, type Effects } from './effects.ts';
import { configError, type FieldProblem, issueMessage, type Problem, toFieldProblem, withLine } from './problem.ts';
import { isMapping, overlay, without } from './schema-shape.ts';
import { readNode, type Reading } from './read-node.ts';
import { readYaml } from './yaml-source.ts';

/** A file that was read, checked and filled up with the defaults. */
export interface LoadedConfig<Config> {
  readonly config: Config;
  /** What the file itself says, without the defaults, in the schema's spelling. */
  readonly given: unknown;
  readonly notes: readonly ConfigNote[];
}

/** All there is to know of one kind of configuration file. */
export interface ConfigKind<Config> {
  readonly kind: string;
  readonly apiVersions: readonly string[];
  readonly schema: z.ZodMiniType<Config>;
  readonly defaults: Config;
  /** What no single field can be blamed for. */
  check(config: Config): readonly FieldProblem[];
  readonly effects: Effects;
  /** What the operator may not have meant. */
  remarks(config: Config): readonly ConfigNote[];
}

/** Reads a file over its defaults. Throws one `CONFIG_INVALID` that lists every problem. */
export function loadConfig<Config>(text: string, fileName: string, kind: ConfigKind<Config>): LoadedConfig<Config> {
  const fail = (problems: readonly Problem[]) => configError(fileName, kind.kind.toLowerCase(), problems);
  const source = readYaml(text);
  if ('message' in source) throw fail([source]);
  if (source.problems.length > 0) throw fail(source.problems);
  const reading: Reading = { source, schema: kind.schema, lines: new Map(), problems: [] };
  const given = readNode(source.document.contents, kind.schema, { path: '', line: 1 }, reading);
  const foreign = given === undefined && reading.problems.length === 0 ? [EMPTY] : typeProblems(given, kind, reading);
  if (foreign.length > 0) throw fail(foreign);

  const { config, problems } = checkFields(given, kind);
  const all = [...reading.problems, ...problems.map((problem) => withLine(problem, reading))];
  if (config === undefined || all.length > 0) throw fail(all);
  const notes = effectNotes(kind.effects, { given, config, defaults: kind.defaults });
  return { config, given, notes: [...kind.remarks(config), ...notes] };
}

/** Checks every field by itself, then those that are sound together: a mistake in one does not hide the others. */
function checkFields<Config>(given: unknown, kind: ConfigKind<Config>): Checked<Config> {
  const parse = (value: unknown) => z.safeParse(kind.schema, overlay(kind.defaults, value), { error: issueMessage });
  const parsed = parse(given ?? {});
  if (parsed.success) return { config: parsed.data, problems: kind.check(parsed.data) };
  const { issues } = parsed.error;
  const sound = parse(issues.reduce<unknown>((value, { path }) => without(value, path), given));
  return {
    config: undefined,
    problems: [...issues.map(toFieldProblem), ...(sound.success ? kind.check(sound.data) : [])],
  };
}

interface Checked<Config> {
  readonly config: Config | undefined;
  readonly problems: readonly FieldProblem[];
}

/** A file cut to nothing by a power cut must not become a node with default settings. */
const EMPTY: Problem = { line: 1, path: '', message: 'is empty' };

/** A file of another kind or version would have a problem in every line; this says the one that matters. */
function typeProblems<Config>(given: unknown, kind: ConfigKind<Config>, reading: Reading): readonly Problem[] {
  if (!isMapping(given)) return [];
  const wanted: readonly [string, readonly string[]][] = [
    ['kind', [kind.kind]],
    ['apiVersion', kind.apiVersions],
  ];
  return wanted
    .filter(([path, values]) => given[path] !== undefined && !values.some((value) => value === given[path]))
    .map(([path, values]) => withLine({ path, message: issueMessage({ code: 'invalid_value', values }) }, reading));
}
