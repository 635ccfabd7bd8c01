import { dirname } from 'node:path';
import { parseJoinToken } from '@fenestra/contracts';
import { type Plan, planWorkflow } from '@fenestra/kernel';
import { RECOVERY_POLICY, type RecoveryPolicy, digestIfAny, pathExists } from '@fenestra/platform';
import { digestOfText } from '@fenestra/steps';
import {
  type NodeSession,
  type NamedFinding,
  changeWithScripts,
  type CarriedOut,
  type ScriptedChange,
  type ScriptedWork,
} from '@fenestra/session';
import { CONFIGURATION_SECRET, gatherNodeFacts, type NodeFacts } from '../node/node-facts.ts';
import { refuseForeignRegistration } from '../node/foreign-service.ts';
import { certificatePaths, footprintOf } from '../node/node-files.ts';
import { joinedAgentService } from '../service-program/agent-service.ts';
import { isRegistered } from '../service-program/facts.ts';
import { type JoinConfiguration, joinConfiguration } from './join-configuration.ts';
import {
  type JoinFacts,
  type JoinProgram,
  placesProgram,
  TOKEN_SECRET,
  wantedKind,
  programSecrets,
  wantedProgram,
} from './join-facts.ts';
import { requireToken, tokenForKnown, isSameNode, refuseOtherNode } from './node-identity.ts';
import type { JoinWishes } from './join-wishes.ts';
import { findNotApplied, type NotApplied } from './not-applied.ts';
import { preflight } from './preflight/preflight.ts';
import { JOIN } from './workflow.ts';

/** A join that can be run. */
export interface PlannedJoin {
  readonly plan: Plan;
  readonly facts: JoinFacts;
  readonly findings: readonly NamedFinding[];
  /** The version of the agent that is there in the end, where that is known. */
  readonly version: string | undefined;
  readonly notApplied: NotApplied;
  /** What the run has to know, and its journal must not. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Looks at the machine and the cloud, and plans what is missing. Changes nothing. */
export async function planJoin(session: NodeSession, wishes: JoinWishes, signal: AbortSignal): Promise<PlannedJoin> {
  const own = wishes.release === undefined ? startFinding(session, wishes, signal) : undefined;
  const node = await gatherNodeFacts(session);
  if (node.foreignService !== undefined) throw node.foreignService;
  const configuration = joinConfiguration(wishes, node.host, session.layout);
  refuseOtherNode(node, configuration.config);
  const known = node.config !== undefined && isSameNode(node.config, configuration.config);
  if (!known) refuseForeignRegistration(node.spec, joinedAgentService(session.layout).spec, session.ports.services);
  const token = await tokenToUse({ wishes, node, configuration, known }, session.now());
  const finding = own ?? startFinding(session, wishes, signal);
  const attempt = { wishes, configuration, program: finding };
  const findings = known ? [] : await preflight(session, { ...attempt, token: requireToken(token) }, signal);
  const program = await finding;
  const facts = await gatherJoinFacts(session, { wishes, configuration, program, node, known, token });
  const secrets = new Map([...programSecrets(wishes), [CONFIGURATION_SECRET, configuration.text]]);
  if (token !== undefined) secrets.set(TOKEN_SECRET, token);
  const version = placesProgram(facts) ? program.version : node.installedVersion;
  const notApplied = findNotApplied(wishes, node, facts);
  return { plan: planWorkflow(JOIN, facts), facts, findings, version, notApplied, secrets };
}

/**
 * Finding the program takes as long as all other checks together, so both run at the same time. A failure reaches the
 * code that awaits the result; until then it must not count as an unhandled rejection.
 */
function startFinding(session: NodeSession, wishes: JoinWishes, signal: AbortSignal): Promise<JoinProgram> {
  const finding = wantedProgram(session, wishes, signal);
  finding.catch(() => undefined);
  return finding;
}

interface Situation {
  readonly wishes: JoinWishes;
  readonly node: NodeFacts;
  readonly configuration: JoinConfiguration;
  readonly known: boolean;
}

async function tokenToUse({ wishes, node, configuration, known }: Situation, now: Date): Promise<string | undefined> {
  const given = wishes.token ?? configuration.token;
  if (!known) return requireToken(given);
  return tokenForKnown({ node, config: node.config ?? configuration.config }, given, now);
}

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
  const { spec } = joinedAgentService(layout, recoveryFor(wishes));
  return {
    nodeName: configuration.nodeName,
    cloud: configuration.config.modules.edgeHub.httpServer,
    layout,
    footprint: footprintOf(layout, config),
    certificates: certificatePaths(config),
    singleUseToken: token !== undefined && parseJoinToken(token).claims.id !== undefined,
    statusFolder: dirname(config.database.dataSource),
    known,
    program,
    agentKind: known && node.installedSha256 !== undefined ? node.agentKind : wantedKind(program),
    installedSha256: node.installedSha256,
    installedVersion: node.installedVersion,
    programFolderMissing: !(await pathExists(layout.programFolder)),
    configurationSha256: digestOfText(configuration.text),
    strangeConfigurationSha256: known || node.configText === undefined ? undefined : digestOfText(node.configText),
    tokenSha256: token === undefined ? undefined : digestOfText(token),
    oldTokenSha256: (await digestIfAny(layout.tokenFile)) ?? undefined,
    oldVersionSha256: (await digestIfAny(layout.versionFile)) ?? undefined,
    spec,
    service: node.service,
    registered: await isRegistered(ports.services, spec),
    healthy: isHealthy(node),
    limitSeconds: wishes.limitSeconds,
    settleSeconds: wishes.settleSeconds,
  };
}

function recoveryFor({ restartDelaysSeconds = RECOVERY_POLICY.restartDelaysSeconds }: JoinWishes): RecoveryPolicy {
  return { ...RECOVERY_POLICY, restartDelaysSeconds };
}

/** Whether the agent runs and is connected. Upstream's agent does not say, so it counts if its service runs. */
function isHealthy({ service, agent, agentKind }: Pick<NodeFacts, 'service' | 'agent' | 'agentKind'>): boolean {
  if (service.state !== 'running') return false;
  return agentKind === 'upstream' || agent?.connected === true;
}

/** How a join ended. */
export type NodeJoin = CarriedOut<PlannedJoin> & { readonly change: ScriptedChange };

/** Joins this machine to a cloud, or leaves it as it was. `onPlanned` is called before anything is changed. */
export async function joinNode(
  session: NodeSession,
  wishes: JoinWishes,
  { scripted, onPlanned }: { readonly scripted: ScriptedWork; readonly onPlanned: (planned: PlannedJoin) => void },
  signal: AbortSignal,
): Promise<NodeJoin> {
  const makePlan = async (): Promise<PlannedJoin> => planJoin(session, wishes, signal);
  return changeWithScripts(scripted, { session, command: 'keadm join', makePlan, onPlanned }, signal);
}
