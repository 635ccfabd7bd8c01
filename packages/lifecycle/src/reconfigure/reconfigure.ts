import type { ConfigChange, ConfigNote } from '@fenestra/contracts';
import { planWorkflow, type Plan } from '@fenestra/kernel';
import { changeNode, type NodeChange, type NodeSession } from '@fenestra/steps';
import { CONFIGURATION_SECRET } from '../node/configuration-secret.ts';
import { gatherReconfigureFacts, type ConfigurationWish, type ReconfigureFacts } from './facts.ts';
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
  const secrets = new Map(session.ports.secrets);
  let summary: ConfigurationSummary | undefined;
  const makePlan = async (): Promise<Plan> => {
    const { facts, text } = await gatherReconfigureFacts(session, wish);
    secrets.set(CONFIGURATION_SECRET, text);
    summary = summaryOf(facts);
    return planWorkflow(RECONFIGURE, facts);
  };
  const knowing = { ...session, ports: { ...session.ports, secrets } };
  const change = await changeNode(knowing, command, makePlan, signal);
  if (summary === undefined) throw new Error('A plan was executed that was not planned');
  return { ...change, ...summary };
}

function summaryOf({ changes, restartKeys, way, notes }: ReconfigureFacts): ConfigurationSummary {
  return { changes, restartKeys, way, notes };
}
