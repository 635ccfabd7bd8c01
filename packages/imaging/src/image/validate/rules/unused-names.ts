import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { referencesIn } from '../../../hcl/references.ts';
import type { ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

/** What is given and goes nowhere: values for variables that are not there, and variables and locals nobody looks at. */
export function unusedNames(model: ProjectModel): readonly ProjectProblem[] {
  return [...unknownOverrides(model), ...unusedVariables(model), ...unusedLocals(model), ...twice(model)];
}

function unknownOverrides({ overrides, variables }: ProjectModel): readonly ProjectProblem[] {
  const known = variables.map(({ name }) => name);
  return overrides
    .filter(({ name }) => !known.includes(name))
    .map(({ file, line, name }) => {
      const near = nearestKey(name, known);
      const hint = near !== undefined && looksLike(name, near) ? `; did you mean "${near}"?` : '';
      return error(file, line, `"${name}" is given a value, but there is no such variable${hint}`);
    });
}

/** What a variable's own validation says about it does not count. */
function unusedVariables(model: ProjectModel): readonly ProjectProblem[] {
  const used = usedNames(model, 'var');
  return model.variables
    .filter(({ name }) => !used.has(name))
    .map(({ file, line, name }) =>
      error(file, line, `the variable "${name}" is used nowhere: to override it does nothing`),
    );
}

function unusedLocals(model: ProjectModel): readonly ProjectProblem[] {
  const used = usedNames(model, 'local');
  return model.locals
    .filter(({ name }) => !used.has(name))
    .map(({ file, line, name }) => error(file, line, `the local "${name}" is used nowhere`));
}

function usedNames({ attributes }: ProjectModel, root: string): ReadonlySet<string> {
  return new Set(
    attributes
      .filter(({ within }) => within[0]?.type !== 'variable')
      .flatMap(({ value }) => referencesIn(value))
      .filter((reference) => reference.root === root)
      .map(({ names }) => names[0] ?? ''),
  );
}

function twice({ variables, locals, sources, overrides }: ProjectModel): readonly ProjectProblem[] {
  const kinds = { variable: variables, local: locals, source: sources };
  const declared = Object.entries(kinds).flatMap(([kind, list]) =>
    repeated(list).map(({ file, line, name }) => error(file, line, `the ${kind} "${name}" is declared twice`)),
  );
  return [...declared, ...givenTwice(overrides)];
}

/** In two files it may be given: each is for another occasion, or Packer takes the later one. */
function givenTwice(overrides: ProjectModel['overrides']): readonly ProjectProblem[] {
  const files = [...new Set(overrides.map(({ file }) => file))];
  return files
    .flatMap((file) => repeated(overrides.filter((override) => override.file === file)))
    .map(({ file, line, name }) => error(file, line, `"${name}" is given a value twice`));
}

function repeated<Named extends { readonly name: string }>(list: readonly Named[]): readonly Named[] {
  return list.filter(({ name }, index) => list.findIndex((other) => other.name === name) < index);
}

function error(file: string, line: number, message: string): ProjectProblem {
  return { file, line, severity: 'error', message };
}
