import { constantOf } from '../../../hcl/constant.ts';
import type { Token } from '../../../hcl/token.ts';
import type { PlacedAttribute, ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

/** Values that a variable's own checks refuse, as far as those are patterns: Packer would say it only at the build. */
export function validations(model: ProjectModel): readonly ProjectProblem[] {
  return model.attributes.flatMap((attribute) => {
    const check = checkOf(attribute);
    return check === undefined ? [] : refusedBy(check, model);
  });
}

interface Check {
  readonly variable: string;
  readonly pattern: RegExp;
  readonly message: string;
}

function refusedBy({ variable, pattern, message }: Check, { overrides }: ProjectModel): readonly ProjectProblem[] {
  return overrides
    .filter(({ name, value }) => name === variable && typeof value === 'string' && !pattern.test(value))
    .map(({ file, line }) => ({ file, line, severity: 'error', message }));
}

function checkOf({ name, value, within }: PlacedAttribute): Check | undefined {
  const [variable, validation] = within;
  const label = variable?.labels[0] ?? '';
  // Of checksums there is more to say, and it is said elsewhere.
  if (name !== 'condition' || validation?.type !== 'validation' || /_(?:sha256|checksum)$/.test(label))
    return undefined;
  const pattern = patternOf(value, label);
  const told = validation.body.attributes.find((attribute) => attribute.name === 'error_message');
  const message = told === undefined ? undefined : constantOf(told.value);
  if (pattern === undefined || typeof message !== 'string') return undefined;
  return { variable: label, pattern, message: message.replace(/\.$/, '') };
}

/** The pattern of `can(regex("…", var.NAME))`; `undefined` for every other condition. */
function patternOf(value: readonly Token[], variable: string): RegExp | undefined {
  const tokens = value.filter((token) => token.kind !== 'newline');
  const shape = tokens.map((token) => ('text' in token ? token.text : '')).join('');
  const text = tokens[4] === undefined ? undefined : constantOf([tokens[4]]);
  if (shape !== `can(regex(,var.${variable}))` || typeof text !== 'string') return undefined;
  try {
    return new RegExp(text, 'u');
  } catch {
    // A pattern that only Packer's own library reads.
    return undefined;
  }
}
