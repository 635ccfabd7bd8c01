import { readProject, type ProjectFiles } from './project-model.ts';
import type { ProjectProblem } from './project-problem.ts';
import { checksums } from './rules/checksums.ts';
import { functions } from './rules/functions.ts';
import { missingFiles } from './rules/missing-files.ts';
import { overrideValues } from './rules/override-values.ts';
import { plugins } from './rules/plugins.ts';
import { templates } from './rules/templates.ts';
import { undefinedNames } from './rules/undefined-names.ts';
import { unusedNames } from './rules/unused-names.ts';
import { validations } from './rules/validations.ts';

const RULES = [
  undefinedNames,
  unusedNames,
  overrideValues,
  validations,
  checksums,
  missingFiles,
  functions,
  templates,
  plugins,
];

/** All that is wrong with a project, and what is still to be given, by file and line. */
export function validateProject(files: ProjectFiles): readonly ProjectProblem[] {
  const { model, problems } = readProject(files);
  // What is in a file that could not be read would seem to be declared nowhere.
  const found = problems.length > 0 ? problems : RULES.flatMap((rule) => rule(model));
  return found.toSorted((one, other) => one.file.localeCompare(other.file, 'en') || one.line - other.line);
}
