import { isMap, isScalar } from 'yaml';
import type { Problem } from '../../config/reading/problem.ts';
import { readYamlDocuments, type YamlSource } from '../../config/reading/yaml-source.ts';
import { API_VERSIONS, type ApiVersion } from './schema.ts';

/** The one document of a file that is about joining. */
export interface JoinDocument {
  readonly source: YamlSource;
  readonly version: ApiVersion;
  readonly warnings: readonly string[];
}

/** Finds the `JoinConfiguration` among the documents of a file. Others are passed over, with a warning each. */
export function findJoinDocument(text: string): JoinDocument | Problem {
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
const KNOWN_VERSIONS = `must be ${API_VERSIONS.map((version) => `"${GROUP}${version}"`).join(' or ')}; "kubeadm config migrate" brings older files up to date`;

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
