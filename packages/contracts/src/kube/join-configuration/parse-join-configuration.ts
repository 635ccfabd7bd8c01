import { isMap, isScalar } from 'yaml';
import * as z from 'zod/mini';
import type { NodeOs } from '../../config/edgecore/edge-paths.ts';
import {
  type FieldProblem,
  issueMessage,
  type Problem,
  problemsError,
  toFieldProblem,
  withLine,
} from '../../config/reading/problem.ts';
import { type Reading, readNode } from '../../config/reading/read-node.ts';
import { readYamlDocuments, type YamlSource } from '../../config/reading/yaml-source.ts';
import { checkJoinFile } from './checks.ts';
import { type JoinConfiguration, toJoinConfiguration } from './join-configuration.ts';
import { API_VERSIONS, type ApiVersion, JOIN_SCHEMAS, type JoinFile } from './schema.ts';

/**
 * Reads a file with a `JoinConfiguration` of any version, into one form. Throws one `CONFIG_INVALID` with every problem,
 * each with file, line and field; no problem repeats a value, since one of them is the token.
 */
export function parseJoinConfiguration(text: string, source: string, os: NodeOs): JoinConfiguration {
  const document = findJoinDocument(text);
  if ('message' in document) throw joinFileError(source, [document]);
  const { file, problems } = readJoinFile(document, os);
  if (file === undefined || problems.length > 0) throw joinFileError(source, problems);
  return toJoinConfiguration(file, document.warnings, os);
}

/** All that is wrong with such a file, for those who have to tell it in lines of another. */
export function joinProblems(text: string, os: NodeOs): readonly Problem[] {
  const document = findJoinDocument(text);
  return 'message' in document ? [document] : readJoinFile(document, os).problems;
}

interface Read {
  readonly file: JoinFile | undefined;
  readonly problems: readonly Problem[];
}

/** Checks every field by itself and all that are sound together: a mistake in one does not hide the others. */
function readJoinFile({ source, version }: JoinDocument, os: NodeOs): Read {
  const schema = JOIN_SCHEMAS[version];
  const reading: Reading = { source, schema, lines: new Map(), problems: [] };
  const given = readNode(source.document.contents, schema, { path: '', line: 1 }, reading);
  const parsed = z.safeParse(schema, given, { error: issueMessage });
  const single = parsed.success ? [] : parsed.error.issues.map(toFieldProblem);
  const found = [...single, ...checkJoinFile(given, os)].filter((problem) => !isTold(problem, reading));
  return {
    file: parsed.success ? parsed.data : undefined,
    problems: [...reading.problems, ...found.map((problem) => withLine(problem, reading))],
  };
}

/** What could not be read at all has been reported already, and what is around it follows from it. */
function isTold({ path }: FieldProblem, { problems }: Reading): boolean {
  return problems.some((problem) => problem.path === path || problem.path.startsWith(`${path}.`));
}

function joinFileError(source: string, problems: readonly Problem[]): Error {
  return problemsError(
    source,
    problems,
    'Correct the lines above; "kubeadm config print join-defaults" prints an example.',
  );
}

/** The one document of a file that is about joining. */
interface JoinDocument {
  readonly source: YamlSource;
  readonly version: ApiVersion;
  readonly warnings: readonly string[];
}

/** Finds the `JoinConfiguration` among the documents of a file. Others are skipped, with a warning each. */
function findJoinDocument(text: string): JoinDocument | Problem {
  const documents = readYamlDocuments(text);
  if ('message' in documents) return documents;
  const [broken] = documents.flatMap(({ problems }) => problems);
  if (broken !== undefined) return broken;
  const [source, second] = documents.filter((document) => textAt(document, 'kind') === 'JoinConfiguration');
  if (source === undefined) return { line: 1, path: '', message: 'contains no document of kind "JoinConfiguration"' };
  if (second !== undefined) return { line: lineOf(second), path: '', message: 'is a second "JoinConfiguration"' };
  const version = versionOf(source);
  if (version === undefined) return { line: lineOf(source), path: 'apiVersion', message: KNOWN_VERSIONS };
  return { source, version, warnings: documents.filter((document) => document !== source).flatMap(passedOver) };
}

const GROUP = 'kubeadm.k8s.io/';
const KNOWN_VERSIONS = `must be ${API_VERSIONS.map((version) => `"${GROUP}${version}"`).join(' or ')}; "kubeadm config migrate" converts older files`;

function versionOf(source: YamlSource): ApiVersion | undefined {
  const written = textAt(source, 'apiVersion');
  return API_VERSIONS.find((version) => written === `${GROUP}${version}`);
}

function textAt({ document: { contents } }: YamlSource, key: string): string | undefined {
  const value: unknown = isMap(contents) ? contents.get(key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function lineOf(source: YamlSource): number {
  const { contents } = source.document;
  if (!isMap(contents)) return 1;
  const version = contents.items.find(({ key }) => isScalar(key) && key.value === 'apiVersion')?.key;
  return source.lineAt((isScalar(version) ? version.range?.[0] : undefined) ?? contents.range[0]);
}

/** A document of nothing, such as before the first `---`, is not worth a word. */
function passedOver(source: YamlSource): readonly string[] {
  if (source.document.contents === null) return [];
  return [`the document of kind "${textAt(source, 'kind') ?? 'unknown'}" in line ${lineOf(source)} is not used`];
}
