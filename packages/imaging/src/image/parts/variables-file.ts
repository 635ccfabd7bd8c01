import type { ProjectVariable } from '../project-file.ts';

/** The file that declares what a project can be told. */
export function variablesText(variables: readonly ProjectVariable[]): string {
  return variables.map(variableText).join('\n');
}

function variableText({ name, type, description, default: value, sensitive, validation }: ProjectVariable): string {
  const lines = [
    `variable "${name}" {`,
    `  type        = ${type}`,
    `  description = ${quoted(description)}`,
    ...(value === undefined ? [] : [`  default     = ${value}`]),
    ...(sensitive === true ? ['  sensitive   = true'] : []),
    ...(validation === undefined
      ? []
      : [
          '',
          '  validation {',
          `    condition     = ${validation.condition}`,
          `    error_message = ${quoted(validation.message)}`,
          '  }',
        ]),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

/** A text as HCL writes it. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}
