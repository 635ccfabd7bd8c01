/** Reading a configuration file: YAML with the line of each problem, and what its fields may hold. */
export { type FieldProblem, type Problem, problemsError } from './problem.ts';
export { type Mapping, isMapping } from './schema-shape.ts';
export { type Reading, readNode } from './read-node.ts';
export { issueMessage } from './problem.ts';
export { labels, port, texts, labelName, labelValue, positive, textList, portOrNone } from '../scalars.ts';
export { readYaml } from './yaml-source.ts';
export { toFieldProblem, withLine } from './problem.ts';
export { joinPath } from './schema-shape.ts';
export { looksLike, nearestKey } from './unknown-key.ts';
export { readYamlValue, type YamlValue } from './yaml-value.ts';
