import type { EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { NodeFacts } from './node-facts.ts';

/** The node's configuration; throws what is wrong with one that cannot be used. */
export function requireConfig({ config, configProblem }: Pick<NodeFacts, 'config' | 'configProblem'>): EdgecoreConfig {
  if (config !== undefined) return config;
  throw (
    configProblem ??
    new OperatorError('CONFIG_INVALID', 'The node has no configuration', { hint: 'Reset the node and join it again.' })
  );
}
