import { CLOUD_CONFIG_RULES, COMMAND_RULES } from './rules/cloud-config.ts';
import { CLUSTER_API_RULES } from './rules/cluster-api.ts';
import { DELIVERY_RULES, SECRET_RULES, TEMPLATE_RULES } from './rules/delivery.ts';
import { FILE_RULES, USER_RULES } from './rules/files-and-users.ts';
import { MIME_RULES } from './rules/mime.ts';

/** Every rule by its id, in the order of the page. */
export const RULES = {
  ...DELIVERY_RULES,
  ...TEMPLATE_RULES,
  ...MIME_RULES,
  ...CLOUD_CONFIG_RULES,
  ...FILE_RULES,
  ...COMMAND_RULES,
  ...USER_RULES,
  ...SECRET_RULES,
  ...CLUSTER_API_RULES,
} as const satisfies Readonly<Record<string, Rule>>;

/** The id of a rule. */
export type RuleId = keyof typeof RULES;

/** The ids, in the order of the page. */
export const RULE_IDS: readonly RuleId[] = Object.keys(RULES).filter(isRuleId);

function isRuleId(id: string): id is RuleId {
  return id in RULES;
}

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

/** How much a finding matters: the machine does not do what is asked, may not, or does it in a way worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** What a rule is about, for the page of the rules and for hints. */
export interface Rule {
  readonly severity: Severity;
  /** What is wrong, as a heading. */
  readonly title: string;
  /** What cloudbase-init does, and why that is not what was meant. */
  readonly why: string;
  /** One instruction. */
  readonly remedy: string;
}
