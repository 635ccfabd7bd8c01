import type { Constant } from '../../../hcl/constant.ts';
import type { DeclaredVariable, ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

/** Values of a wrong type, and what is still to be given. */
export function overrideValues({ variables, overrides }: ProjectModel): readonly ProjectProblem[] {
  const wrong = overrides.flatMap(({ file, line, name, value }) => {
    const type = variables.find((variable) => variable.name === name)?.type;
    if (type === undefined || value === undefined || fits(value, type)) return [];
    return [{ file, line, severity: 'error', message: `"${name}" must be a ${type}` } as const];
  });
  const defaults = variables.flatMap(({ file, line, name, type, default: value }) => {
    if (type === undefined || value === undefined || fits(value, type)) return [];
    return [{ file, line, severity: 'error', message: `the default of "${name}" must be a ${type}` } as const];
  });
  return [...wrong, ...defaults, ...variables.filter((variable) => isMissing(variable, overrides)).map(missing)];
}

function isMissing({ name, hasDefault }: DeclaredVariable, overrides: ProjectModel['overrides']): boolean {
  return !hasDefault && !overrides.some((override) => override.name === name);
}

function missing({ file, line, name }: DeclaredVariable): ProjectProblem {
  return { file, line, severity: 'note', message: `"${name}" still needs a value` };
}

/** Packer takes a number or a switch for a text, too, and a text for either if it looks like one. */
function fits(value: Constant, type: string): boolean {
  if (value === null || type === 'any') return true;
  const [, element] = /^(?:list|set)\((.+)\)$/.exec(type) ?? [];
  if (element !== undefined) return Array.isArray(value) && value.every((item) => fits(item, element));
  const [, entry] = /^map\((.+)\)$/.exec(type) ?? [];
  if (entry !== undefined) return isMap(value) && Object.values(value).every((item) => fits(item, entry));
  if (type === 'string') return typeof value !== 'object';
  if (type === 'number')
    return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  if (type === 'bool') return typeof value === 'boolean' || value === 'true' || value === 'false';
  return true;
}

function isMap(value: Constant): value is { readonly [key: string]: Constant } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
