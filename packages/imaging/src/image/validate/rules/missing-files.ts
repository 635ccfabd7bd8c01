import { posix } from 'node:path';
import { callsIn } from '../../../hcl/references.ts';
import { isMark, type Token } from '../../../hcl/token.ts';
import type { PlacedAttribute, ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

const FUNCTIONS = ['file', 'filebase64', 'filesha256', 'templatefile'];
/** Attributes that name files of the project. */
const ATTRIBUTES = ['script', 'scripts', 'user_data_file', 'cd_files', 'floppy_files', 'playbook_file'];

/** Files that are named and are not there. What is elsewhere, or named by a variable, nobody can know. */
export function missingFiles(model: ProjectModel): readonly ProjectProblem[] {
  return model.attributes.flatMap((attribute) =>
    namedFiles(attribute)
      .map(({ tokens, line }) => ({ path: projectPath(tokens, attribute.file), line }))
      .filter(({ path }) => path !== undefined && !path.includes('*') && !model.files.has(path))
      .map(({ path, line }) => ({
        file: attribute.file,
        line,
        severity: 'error' as const,
        message: `"${path}" is not there`,
      })),
  );
}

function namedFiles(
  attribute: PlacedAttribute,
): readonly { readonly tokens: readonly Token[]; readonly line: number }[] {
  const called = callsIn(attribute.value)
    .filter(({ name }) => FUNCTIONS.includes(name))
    .map(({ args, line }) => ({ tokens: args[0] ?? [], line }));
  return [
    ...called,
    ...(namesFile(attribute) ? attribute.value.map((token) => ({ tokens: [token], line: token.line })) : []),
  ];
}

function namesFile({ name, within }: PlacedAttribute): boolean {
  const inner = within.at(-1);
  return (
    ATTRIBUTES.includes(name) || (name === 'source' && inner?.type === 'provisioner' && inner.labels[0] === 'file')
  );
}

/** The path below the project's folder that a text means; `undefined` for one that depends on something else. */
export function projectPath(tokens: readonly Token[], file: string): string | undefined {
  const [token, ...others] = tokens;
  if (token?.kind !== 'template' || others.length > 0) return undefined;
  const texts = token.parts.map((part) => {
    if (part.kind === 'text') return part.text;
    return part.kind === 'value' && isRoot(part.tokens) ? '.' : undefined;
  });
  const path = texts.includes(undefined) ? undefined : texts.join('').replaceAll('\\', '/');
  if (path === undefined || path === '' || posix.isAbsolute(path) || /^[a-z]+:/i.test(path)) return undefined;
  return posix.normalize(posix.join(posix.dirname(file), path));
}

function isRoot([first, dot, second]: readonly Token[]): boolean {
  return isName(first, 'path') && isMark(dot, '.') && isName(second, 'root', 'cwd');
}

function isName(token: Token | undefined, ...names: readonly string[]): boolean {
  return token?.kind === 'name' && names.includes(token.text);
}
