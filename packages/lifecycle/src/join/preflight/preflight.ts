import { parseJoinToken } from '@fenestra/contracts';
import { type NamedFinding, type NodeSession, requirePassed } from '@fenestra/session';
import { existingPaths } from '@fenestra/platform';
import { gatherMachineFacts } from '../../checks/facts.ts';
import { cloudOf } from '../cloud-address.ts';
import { footprintOf } from '../../node/node-files.ts';
import type { JoinConfiguration } from '../join-configuration.ts';
import { wantedKind, type JoinProgram, sizeOf } from '../join-facts.ts';
import type { JoinWishes } from '../join-wishes.ts';
import { hasCertificateOf } from '../node-identity.ts';
import { gatherCloudFacts } from './cloud-facts.ts';
import { judgeCloud } from './judge-cloud.ts';
import { type CloudFindings, type JoiningMachine, runJoinChecks } from './join-checks.ts';

/** A join about to be planned. */
export interface JoinAttempt {
  readonly wishes: JoinWishes;
  readonly configuration: JoinConfiguration;
  /** Found at the same time: it takes as long as all the rest. */
  readonly program: Promise<JoinProgram>;
  /** It is secret. */
  readonly token: string;
}

/** Makes every check, then throws if one failed that was not waived. Changes nothing. */
export async function preflight(
  session: NodeSession,
  attempt: JoinAttempt,
  signal: AbortSignal,
): Promise<readonly NamedFinding[]> {
  const { waived } = attempt.wishes;
  const [machine, cloud] = await Promise.all([
    examineMachine(session, attempt),
    waived.includes('cloud') ? undefined : examineCloud(session, attempt, signal),
  ]);
  const findings = runJoinChecks(machine, cloud);
  requirePassed(findings, waived);
  return findings;
}

async function examineMachine(session: NodeSession, attempt: JoinAttempt): Promise<JoiningMachine> {
  const { host, layout, ports, workerFacts } = session;
  const { access, files, services } = ports;
  const { program } = attempt.wishes;
  const wanted = { config: attempt.configuration.config, kind: wantedKind(await attempt.program) };
  return {
    machine: await gatherMachineFacts({ host, layout, access, files, services, workerFacts }, program.madeAt, wanted),
    nodeName: attempt.configuration.nodeName,
    programDisk: await host.disk(layout.programFolder),
    programBytes: await sizeOf(await attempt.program),
    leftovers: await findLeftovers(session, attempt),
  };
}

/** What would make the new node mistake itself for an older one. A program from elsewhere finds its place taken, too. */
async function findLeftovers({ layout }: NodeSession, attempt: JoinAttempt): Promise<readonly string[]> {
  const { identity } = footprintOf(layout, attempt.configuration.config);
  const { from } = await attempt.program;
  const program = from === 'release' ? [layout.agentExecutable] : [];
  const paths = [layout.agentConfigFile, ...identity, ...program];
  return existingPaths(paths);
}

async function examineCloud(
  { now }: NodeSession,
  { configuration: { config, nodeName }, token: text }: JoinAttempt,
  signal: AbortSignal,
): Promise<CloudFindings> {
  const token = parseJoinToken(text);
  const facts = await gatherCloudFacts({ cloud: cloudOf(config), token, nodeName }, signal);
  const hasCertificate = await hasCertificateOf(nodeName, config);
  return judgeCloud(facts, { nodeName, token, now: now(), hasCertificate });
}
