import type { Rule } from './rule.ts';
import { CLUSTER_API_RULES } from './rules/cluster-api.ts';
import { CLOUD_CONFIG_RULES } from './rules/cloud-config.ts';
import { COMMAND_RULES } from './rules/commands.ts';
import { DELIVERY_RULES } from './rules/delivery.ts';
import { FILE_RULES } from './rules/files.ts';
import { MIME_RULES } from './rules/mime.ts';
import { SECRET_RULES } from './rules/secrets.ts';
import { TEMPLATE_RULES } from './rules/templates.ts';
import { USER_RULES } from './rules/users.ts';

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
