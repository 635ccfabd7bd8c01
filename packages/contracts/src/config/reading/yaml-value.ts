import { isNode, visit, type Node } from 'yaml';
import type { Json } from '@fenestra/kernel';
import { toJson } from '../../wire/json.ts';
import type { Problem } from './problem.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/** The value that a text of YAML or JSON holds, and the line of each part of it. */
export interface YamlValue {
  readonly value: Json;
  /** The line of a part, or of what is around it if it is missing. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Reads a text that holds one value of any shape, such as a Kubernetes object. */
export function readYamlValue(text: string): YamlValue | Problem {
  const source = readYaml(text);
  if ('message' in source) return source;
  const problem = source.problems[0] ?? octalProblem(source);
  if (problem !== undefined) return problem;
  try {
    const value: unknown = source.document.toJS();
    return { value: toJson(value), lineOf: (path) => lineOf(source, path) };
  } catch {
    return { line: 1, path: '', message: 'uses an anchor too often, or within itself' };
  }
}

/** Kubernetes reads `0644` as octal, newer versions of YAML as decimal: taken as either, it may be meant otherwise. */
function octalProblem(yaml: YamlSource): Problem | undefined {
  let problem: Problem | undefined;
  visit(yaml.document, {
    Scalar(_, { type, source = '', range }) {
      if (type !== 'PLAIN' || !/^0\d+$/.test(source)) return undefined;
      const message = 'has a number that begins with 0: write it as decimal, or in quotes if it is a text';
      problem = { line: yaml.lineAt(range?.[0] ?? 0), path: '', message };
      return visit.BREAK;
    },
  });
  return problem;
}

function lineOf(source: YamlSource, path: readonly PropertyKey[]): number {
  const node = nodeAt(source, path);
  if (node?.range) return source.lineAt(node.range[0]);
  return path.length === 0 ? 1 : lineOf(source, path.slice(0, -1));
}

function nodeAt({ document }: YamlSource, path: readonly PropertyKey[]): Node | undefined {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  return isNode(node) ? node : undefined;
}
