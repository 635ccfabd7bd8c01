import type { ConfigChange, ConfigNote } from '@fenestra/contracts';
import { type Plan, planWorkflow, type Phase } from '@fenestra/kernel';
import { changeNode, type NodeChange, type NodeSession, type PlannedChange } from '@fenestra/session';
import {
  armGuardIf,
  disarmGuard,
  previousVersion,
  proveHealthy,
  reloadOnRevert,
  reloadService,
  remove,
  startService,
  stopService,
  writeSecret,
} from '@fenestra/steps';
import { CONFIGURATION_SECRET } from '../node/node-facts.ts';
import { guardOf } from '../node/guard.ts';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import { type ConfigurationWish, gatherReconfigureFacts, type ReconfigureFacts, needsGuard } from './facts.ts';

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

/** The old file is given up last, so every failure before leads back to it. Either of reload and restart plans nothing. */
export const RECONFIGURE: readonly Phase<ReconfigureFacts>[] = [
  armGuardIf(needsGuard, guardOf),
  {
    // An agent that cannot take the change up while it runs is stopped first: so the rollback starts it with the old file.
    id: 'stop-agent',
    title: 'Stop the agent',
    plan: ({ way, node }) =>
      way !== 'restart' || node.service.state === 'stopped' ? [] : [stopService({ name: AGENT_SERVICE })],
  },
  {
    // The new file takes the place of the old one in one move; a running agent goes back with it if need be.
    id: 'write-configuration',
    title: 'Write the configuration',
    plan({ writes, way, layout: { agentConfigFile: path }, node, wantedSha256 }) {
      if (!writes) return [];
      const write = writeSecret({ path, secret: CONFIGURATION_SECRET, sha256: wantedSha256 });
      if (way !== 'reload') return [write];
      return [reloadOnRevert({ name: AGENT_SERVICE, stateFolder: node.statusFolder, configFile: path }), write];
    },
  },
  {
    // The running agent changes only what the file changes, and keeps the rest up.
    id: 'reload-agent',
    title: 'Reload the agent',
    plan({ way, node, writes, presentSha256, wantedSha256 }) {
      if (way !== 'reload') return [];
      const configSha256 = writes ? wantedSha256 : presentSha256;
      return [reloadService({ name: AGENT_SERVICE, stateFolder: node.statusFolder, configSha256 })];
    },
  },
  {
    // The agent begins again, with the new file.
    id: 'start-agent',
    title: 'Start the agent',
    plan: ({ way }) => (way === 'restart' ? [startService({ name: AGENT_SERVICE })] : []),
  },
  {
    // A file that is sound may still be wrong: the agent has to work with it.
    id: 'prove-agent',
    title: 'Verify that the agent works with it',
    plan: ({ way, proof }) => (way === 'none' ? [] : [proveHealthy(proof)]),
  },
  {
    // The old file goes once no one needs it for a way back, and so does the guard.
    id: 'tidy-up',
    title: 'Tidy up',
    plan(facts) {
      const { writes, layout, presentSha256 } = facts;
      const forget = writes ? [remove(previousVersion(layout.agentConfigFile, presentSha256))] : [];
      return [...forget, ...(needsGuard(facts) ? [disarmGuard({ executable: layout.guardExecutable })] : [])];
    },
  },
];
