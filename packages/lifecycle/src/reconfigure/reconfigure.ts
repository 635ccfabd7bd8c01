import type { ConfigChange, ConfigNote } from '@fenestra/contracts';
import { type Plan, planWorkflow } from '@fenestra/kernel';
import { changeNode, type NodeChange, type NodeSession, type PlannedChange } from '@fenestra/session';
import { CONFIGURATION_SECRET } from '../node/node-facts.ts';
import { type ConfigurationWish, gatherReconfigureFacts, type ReconfigureFacts } from './facts.ts';
import { RECONFIGURE } from './workflow.ts';

/** What a change of configuration is about. Nothing in it is secret. */
export interface ConfigurationSummary {
  readonly changes: readonly ConfigChange[];
  /** The changed settings for which the agent has to be restarted. */
  readonly restartKeys: readonly string[];
  readonly way: ReconfigureFacts['way'];
  readonly notes: readonly ConfigNote[];
}

/** How a change of configuration ended. */
export type Reconfiguration = NodeChange & ConfigurationSummary;

/** What a change of configuration would do. */
export async function planReconfiguration(
  session: NodeSession,
  wish: ConfigurationWish,
): Promise<{ readonly plan: Plan } & ConfigurationSummary> {
  const { facts } = await gatherReconfigureFacts(session, wish);
  return { plan: planWorkflow(RECONFIGURE, facts), ...summaryOf(facts) };
}

/** Brings the node to another configuration, or, if the agent does not work with it, back to the old one. */
export async function applyConfiguration(
  session: NodeSession,
  command: string,
  wish: ConfigurationWish,
  signal: AbortSignal,
): Promise<Reconfiguration> {
  const makePlan = async (): Promise<PlannedChange & { readonly summary: ConfigurationSummary }> => {
    const { facts, text } = await gatherReconfigureFacts(session, wish);
    const secrets = new Map([[CONFIGURATION_SECRET, text]]);
    return { plan: planWorkflow(RECONFIGURE, facts), secrets, summary: summaryOf(facts) };
  };
  const { change, planned } = await changeNode(session, command, makePlan, signal);
  return { ...change, ...planned.summary };
}

function summaryOf({ changes, restartKeys, way, notes }: ReconfigureFacts): ConfigurationSummary {
  return { changes, restartKeys, way, notes };
}
