import { X509Certificate } from 'node:crypto';
import { checkCaHash, checkJoinTokenTime, type JoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { failed, type PreflightFinding, passed, skipped } from '@fenestra/session';
import type { OfferedCa } from './ask-cloud.ts';
import type { CloudFacts } from './cloud-facts.ts';

/** What the cloud is judged against. */
export interface JoiningNode {
  readonly nodeName: string;
  readonly token: JoinToken;
  readonly now: Date;
  /** Whether this machine has a certificate of that node, which proves to the cloud that the name is its own. */
  readonly hasCertificate: boolean;
}

/** Certificates are made by the cloud's clock and judged by ours: further apart they do not work. */
const TOLERATED_SKEW_MS = 5 * 60 * 1000;

/** The checks of the cloud: `cloud`, `token`, `clock`, `node-name`. */
export function judgeCloud(facts: CloudFacts, node: JoiningNode): readonly PreflightFinding[] {
  const { ca } = facts;
  const unseen = 'The cloud could not be asked';
  if (ca instanceof OperatorError) {
    return [failed('cloud', ca), ...['token', 'clock', 'node-name'].map((name) => skipped(name, unseen))];
  }
  const clock = judgeClock(ca, node);
  return [judgeReach(facts), judgeToken(ca, node), clock, judgeNameBy(clock, facts, node)];
}

function judgeReach({ hubProblem }: CloudFacts): PreflightFinding {
  return hubProblem === undefined ? passed('cloud', 'The cloud answers') : failed('cloud', hubProblem);
}

function judgeToken({ certificate, cloudTime }: OfferedCa, { token, nodeName, now }: JoiningNode): PreflightFinding {
  try {
    checkCaHash(token, certificate);
    // The cloud's clock is the one the token is judged by.
    checkJoinTokenTime(token, (cloudTime ?? now).getTime());
    checkTokenNode(token, nodeName);
    return passed('token', "The token is this cloud's and still good");
  } catch (error) {
    if (error instanceof OperatorError) return failed('token', error);
    throw error;
  }
}

function checkTokenNode({ claims }: JoinToken, nodeName: string): void {
  if (claims.node === undefined || claims.node === nodeName) return;
  throw new OperatorError('TOKEN_INVALID', `Cannot join as "${nodeName}": the token is for the node "${claims.node}"`, {
    hint: `Give "--edgenode-name ${claims.node}", or get a token with "keadm gettoken --node ${nodeName}".`,
  });
}

function judgeClock({ certificate, cloudTime }: OfferedCa, { now }: JoiningNode): PreflightFinding {
  const ca = readCertificate(certificate);
  if (ca === undefined) return skipped('clock', 'What the cloud offers as its CA is not a certificate');
  const skewMs = cloudTime === undefined ? 0 : Math.abs(now.getTime() - cloudTime.getTime());
  if (now >= ca.validFromDate && now <= ca.validToDate && skewMs <= TOLERATED_SKEW_MS) {
    return passed('clock', "This machine's clock agrees with the cloud's");
  }
  return failed('clock', clockWrong(now, cloudTime));
}

function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

function clockWrong(now: Date, cloudTime: Date | undefined): OperatorError {
  const there =
    cloudTime === undefined ? 'by it the CA of the cloud is not valid' : `at the cloud it is ${iso(cloudTime)}`;
  return new OperatorError('CLOCK_WRONG', `Cannot join: the clock of this machine shows ${iso(now)}, ${there}`, {
    hint: 'Set the clock that is wrong, and have a time service keep it right.',
    details: { now: iso(now), ...(cloudTime === undefined ? {} : { cloud: iso(cloudTime) }) },
  });
}

/** By a wrong clock the cloud's certificate has expired, or is of the future: that says nothing about the cloud. */
function judgeNameBy(clock: PreflightFinding, facts: CloudFacts, node: JoiningNode): PreflightFinding {
  if (clock.verdict === 'fail') return skipped('node-name', 'By a wrong clock no certificate can be judged');
  return judgeName(facts, node);
}

function judgeName({ node: found }: CloudFacts, { nodeName, hasCertificate, token }: JoiningNode): PreflightFinding {
  if (found instanceof OperatorError) return failed('node-name', found);
  if (found === 'unknown') return skipped('node-name', 'The cloud does not report whether the name is free');
  if (found === 'free') return passed('node-name', `The cloud has no node "${nodeName}" yet`);
  if (token.claims.node === nodeName) return passed('node-name', `The token is for the node "${nodeName}"`);
  if (hasCertificate) return passed('node-name', `This machine has a certificate of the node "${nodeName}"`);
  return failed('node-name', nameTaken(nodeName));
}

function nameTaken(nodeName: string): OperatorError {
  const reason = 'the cloud has a node of that name, and this machine has no certificate of it';
  return new OperatorError('NODE_NAME_TAKEN', `Cannot join as "${nodeName}": ${reason}`, {
    hint: `If this machine is or replaces that node, join with a token from "keadm gettoken --node ${nodeName}"; otherwise give another name with "--edgenode-name".`,
    details: { node: nodeName },
  });
}

function iso(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString();
}
