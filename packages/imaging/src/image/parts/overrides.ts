import type { ProjectVariable } from '../project-file.ts';

/** The file in which somebody says what the project cannot know: what must be given stands there to be filled in. */
export function overridesText(variables: readonly ProjectVariable[]): string {
  const needed = variables.filter((variable) => variable.default === undefined && variable.sensitive !== true);
  const secret = variables.filter(({ sensitive }) => sensitive === true).map(({ name }) => `PKR_VAR_${name}`);
  const lines = needed.flatMap(({ name, type, description }) => [
    `# ${description}.`,
    `# ${name} = ${type.startsWith('list') ? '[]' : '""'}`,
    '',
  ]);
  const secrets =
    secret.length === 0
      ? []
      : [`# Never write these into a file; give them by the environment: ${secret.join(', ')}.`, ''];
  return ['# Required values, and values that differ from those in variables.pkr.hcl.', '', ...secrets, ...lines]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
