import { dirname } from 'node:path';
import { planWorkflow, type Plan } from '@fenestra/kernel';
import { digestOfText, pathExists } from '@fenestra/steps';
import { gatherNodeFacts, type NodeFacts } from '../node/node-facts.ts';
import type { NodeSession } from '../node-session.ts';
import { joinedAgentService } from '../service-program/agent-service.ts';
import { isRegistered } from '../service-program/facts.ts';
import { footprintOf } from './footprint.ts';
import { isHealthy } from './is-healthy.ts';
import { joinConfiguration, type JoinConfiguration } from './join-configuration.ts';
import { placesProgram, type JoinFacts, type JoinProgram } from './join-facts.ts';
import { programSecrets, wantedProgram } from './join-program.ts';
import { CONFIGURATION_SECRET, TOKEN_SECRET } from './join-secrets.ts';
import { requireToken } from './join-token.ts';
import type { JoinWishes } from './join-wishes.ts';
import { hasIdentity, isSameNode, refuseOtherNode } from './node-identity.ts';
import type { JoinFinding } from './preflight/join-finding.ts';
import { preflight } from './preflight/preflight.ts';
import { JOIN } from './workflow.ts';

/** A join that can be run. */
export interface PlannedJoin {
  readonly plan: Plan;
  readonly facts: JoinFacts;
  readonly findings: readonly JoinFinding[];
  /** The version of the agent that is there in the end, where that is known. */
  readonly version: string | undefined;
  /** What the run has to know, and its journal must not. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Looks at the machine and the cloud, and plans what is missing. Changes nothing. */
export async function planJoin(session: NodeSession, wishes: JoinWishes, signal: AbortSignal): Promise<PlannedJoin> {
  const node = await gatherNodeFacts(session);
  const configuration = joinConfiguration(wishes, node.host, session.layout);
  refuseOtherNode(node, configuration.config);
  const known = node.config !== undefined && isSameNode(node.config, configuration.config);
  const token = await tokenToUse({ wishes, node, configuration, known }, session.now());
  const program = await wantedProgram(session, wishes, signal);
  const attempt = { wishes, configuration, program };
  const findings = known ? [] : await preflight(session, { ...attempt, token: requireToken(token) }, signal);
  const facts = await gatherJoinFacts(session, { ...attempt, node, known, token });
  const secrets = new Map([...programSecrets(wishes), [CONFIGURATION_SECRET, configuration.text]]);
  if (token !== undefined) secrets.set(TOKEN_SECRET, token);
  const version = placesProgram(facts) ? program.version : node.installedVersion;
  return { plan: planWorkflow(JOIN, facts), facts, findings, version, secrets };
}

interface Situation {
  readonly wishes: JoinWishes;
  readonly node: NodeFacts;
  readonly configuration: JoinConfiguration;
  readonly known: boolean;
}

/**
 * A node that has a certificate needs no token, and must not keep one that it never uses; one that has lost it, or whose
 * cloud refuses it, cannot do without.
 */
async function tokenToUse({ wishes, node, configuration, known }: Situation, now: Date): Promise<string | undefined> {
  const isRefused = REFUSALS.includes(node.agent?.problem?.code ?? '');
  if (known && !isRefused && (await hasIdentity(node.config ?? configuration.config, now))) return undefined;
  return requireToken(wishes.token ?? configuration.token);
}

/** What an agent says whose certificate does not help it. */
const REFUSALS: readonly string[] = ['CERTIFICATE_REJECTED', 'TOKEN_INVALID', 'HUB_UNTRUSTED'];

async function gatherJoinFacts(
  { layout, ports }: NodeSession,
  {
    wishes,
    node,
    configuration,
    known,
    program,
    token,
  }: Situation & { readonly program: JoinProgram; readonly token: string | undefined },
): Promise<JoinFacts> {
  const config = known && node.config !== undefined ? node.config : configuration.config;
  const { spec } = joinedAgentService(layout);
  return {
    nodeName: configuration.nodeName,
    cloud: configuration.config.modules.edgeHub.httpServer,
    layout,
    footprint: footprintOf(layout, config),
    statusFolder: dirname(config.database.dataSource),
    known,
    program,
    agentKind: known ? presentKind(node) : wantedKind(program),
    installedSha256: node.installedSha256,
    installedVersion: node.installedVersion,
    programFolderMissing: !(await pathExists(layout.programFolder)),
    configurationSha256: digestOfText(configuration.text),
    strangeConfigurationSha256: known || node.configText === undefined ? undefined : digestOfText(node.configText),
    tokenSha256: token === undefined ? undefined : digestOfText(token),
    spec,
    service: node.service,
    registered: await isRegistered(ports.services, spec),
    healthy: isHealthy(node),
    limitSeconds: wishes.limitSeconds,
    settleSeconds: wishes.settleSeconds,
  };
}

/** Upstream's agent does not say how it is. */
function presentKind({ agent, service }: NodeFacts): JoinFacts['agentKind'] {
  return agent === undefined && service.state === 'running' ? 'upstream' : 'fenestra';
}

function wantedKind(program: JoinProgram): JoinFacts['agentKind'] {
  return program.from === 'release' ? program.source.kind : 'fenestra';
}
