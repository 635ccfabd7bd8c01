import type { PlacedNode } from '../../cloudbase/jinja.ts';
import { instanceVariable } from '../../cloudbase/version.ts';
import { type Finding, found, type LintContext } from '../finding.ts';

/** What rendering does to a template that can be rendered. */
export function checkTemplate(nodes: readonly PlacedNode[], context: LintContext): readonly Finding[] {
  return nodes.flatMap((node) => checkNode(node, context));
}

function checkNode({ node, line }: PlacedNode, context: LintContext): readonly Finding[] {
  switch (node.kind) {
    case 'text':
      return [];
    case 'comment':
      return [found('template-text-lost', { line }, `"${shortened(node.source)}" is a comment of Jinja and vanishes`)];
    case 'statement':
      return [found('template-undecided', { line }, `"{% ${shortened(node.source)} %}" is a statement of Jinja`)];
    case 'expression':
      return checkExpression(node, line, context);
  }
}

function checkExpression(
  { expression, source }: Extract<PlacedNode['node'], { kind: 'expression' }>,
  line: number,
  context: LintContext,
): readonly Finding[] {
  const shown = `"{{ ${shortened(source)} }}"`;
  if (expression.kind === 'text')
    return [found('template-text-lost', { line }, `${shown} loses its braces and quotes`)];
  if (expression.kind !== 'variable') {
    return [found('template-undecided', { line }, `${shown} is calculated on the machine`)];
  }
  const fate = instanceVariable(expression.names, { version: context.version, service: context.service?.name });
  if (fate === 'missing') {
    const name = expression.names.at(-1) ?? '';
    const message = `${shown} becomes "CI_MISSING_JINJA_VAR/${name}" with cloudbase-init ${context.version}`;
    return [found('template-variable-missing', { line }, message)];
  }
  return fate === 'maybe'
    ? [found('template-variable-unknown', { line }, `${shown} is not there on every platform`)]
    : [];
}

const MOST_SHOWN = 40;

/** One line, and not much of it. */
function shortened(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ').trim();
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}
