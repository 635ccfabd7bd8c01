import { RULE_IDS, RULES, type RuleId } from './rules.ts';

const HEAD = `# Rules of \`keadm capi lint\`

What [\`keadm capi lint\`](../operate/cluster-api.md#check-user-data) complains of, and why: each rule is something that
cloudbase-init 1.1.4 to 1.1.8 does with user-data without saying so. An error means that the machine does not do what is
asked; a warning, that it may not, or that a secret is shown; a note is worth knowing. This page is made from the rules
themselves.
`;

/** The files of `docs/reference` that are made from the rules, by name. */
export function lintReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([['capi-lint.md', [HEAD, ...RULE_IDS.map(section)].join('\n')]]);
}

function section(id: RuleId): string {
  const { severity, title, why, remedy } = RULES[id];
  return `## \`${id}\` (${severity})\n\n**${title}.** ${why}\n\n${remedy}\n`;
}
