import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { constantOf } from '../../../hcl/constant.ts';
import { referencesIn } from '../../../hcl/references.ts';
import type { ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

/** Names that nothing declares: variables, locals, data and sources. */
export function undefinedNames(model: ProjectModel): readonly ProjectProblem[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    var: namesOf(model.variables),
    local: namesOf(model.locals),
    data: namesOf(model.data),
    source: namesOf(model.sources),
  };
  const inExpressions = model.attributes.flatMap(({ file, value }) =>
    referencesIn(value).flatMap(({ root, names, line }) => {
      const declared = known[root];
      const name = names.slice(0, root === 'data' || root === 'source' ? 2 : 1).join('.');
      if (declared === undefined || name === '' || declared.includes(name)) return [];
      return [problem(file, line, `${root}.${name}`, declared)];
    }),
  );
  return [...inExpressions, ...unknownSources(model)];
}

/** A build names its sources by texts. */
function unknownSources({ builds, sources }: ProjectModel): readonly ProjectProblem[] {
  return builds.flatMap(({ file, block }) => {
    const attribute = block.body.attributes.find(({ name }) => name === 'sources');
    const listed = attribute === undefined ? undefined : constantOf(attribute.value);
    const named = [
      ...(Array.isArray(listed)
        ? listed.map((name) => ({ name: String(name), line: attribute?.line ?? block.line }))
        : []),
      ...block.body.blocks
        .filter(({ type }) => type === 'source')
        .map(({ labels, line }) => ({ name: labels[0] ?? '', line })),
    ];
    return named
      .map(({ name, line }) => ({ name: name.replace(/^source\./, ''), line }))
      .filter(({ name }) => !namesOf(sources).includes(name))
      .map(({ name, line }) => problem(file, line, `source.${name}`, namesOf(sources)));
  });
}

function problem(file: string, line: number, name: string, known: readonly string[]): ProjectProblem {
  const bare = name.replace(/^\w+\./, '');
  const near = nearestKey(bare, known);
  const hint = near !== undefined && looksLike(bare, near) ? `; did you mean "${near}"?` : '';
  return { file, line, severity: 'error', message: `"${name}" is declared nowhere${hint}` };
}

function namesOf(declared: readonly { readonly name: string }[]): readonly string[] {
  return declared.map(({ name }) => name);
}
