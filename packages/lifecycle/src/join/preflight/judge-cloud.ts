import { X509Certificate } from 'node:crypto';
import { checkCaHash, checkJoinTokenTime, type JoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { failedBy, type Finding, pass, skip } from '@fenestra/session';
import type { OfferedCa } from './ask-cloud.ts';
import type { CloudFacts } from './cloud-facts.ts';
import type { CloudFindings } from './join-checks.ts';

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

/** What the checks `cloud`, `token`, `clock` and `node-name` find out about the cloud. */
export function judgeCloud(facts: CloudFacts, node: JoiningNode): CloudFindings {
  const { ca } = facts;
  if (ca instanceof OperatorError) {
    const unseen = skip('The cloud is unreachable');
    return { cloud: failedBy(ca), token: unseen, cloudClock: unseen, nameInCloud: unseen };
  }
  const cloudClock = judgeClock(ca, node);
  return {
    cloud: judgeReach(facts),
    token: judgeToken(ca, node),
    cloudClock,
    nameInCloud: judgeNameBy(cloudClock, facts, node),
  };
}

function judgeReach({ hubProblem }: CloudFacts): Finding {
  return hubProblem === undefined ? pass('The cloud answers') : failedBy(hubProblem);
}

function judgeToken({ certificate, cloudTime }: OfferedCa, { token, nodeName, now }: JoiningNode): Finding {
  try {
    checkCaHash(token, certificate);
    // The cloud's clock is the one the token is judged by.
    checkJoinTokenTime(token, (cloudTime ?? now).getTime());
    checkTokenNode(token, nodeName);
    return pass('The token is valid for this cloud');
  } catch (error) {
    if (error instanceof OperatorError) return failedBy(error);
    throw error;
  }
}

function checkTokenNode({ claims }: JoinToken, nodeName: string): void {
  if (claims.node === undefined || claims.node === nodeName) return;
  throw new OperatorError('TOKEN_INVALID', `Cannot join as "${nodeName}": the token is for the node "${claims.node}"`, {
    hint: `Give "--edgenode-name ${claims.node}", or get a token with "keadm gettoken --node ${nodeName}".`,
  });
}

function judgeClock({ certificate, cloudTime }: OfferedCa, { now }: JoiningNode): Finding {
  const ca = readCertificate(certificate);
  if (ca === undefined) return skip('The CA of the cloud is not a certificate');
  const skewMs = cloudTime === undefined ? 0 : Math.abs(now.getTime() - cloudTime.getTime());
  if (now >= ca.validFromDate && now <= ca.validToDate && skewMs <= TOLERATED_SKEW_MS) {
    return pass("This machine's clock agrees with the cloud's");
  }
  return failedBy(clockWrong(now, cloudTime));
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
    cloudTime === undefined ? 'at that time the CA of the cloud is not valid' : `at the cloud it is ${iso(cloudTime)}`;
  return new OperatorError('CLOCK_WRONG', `Cannot join: the clock of this machine shows ${iso(now)}, ${there}`, {
    hint: 'Correct the wrong clock, and synchronize it with a time service.',
    details: { now: iso(now), ...(cloudTime === undefined ? {} : { cloud: iso(cloudTime) }) },
  });
}

/** By a wrong clock the cloud's certificate has expired, or is of the future: that says nothing about the cloud. */
function judgeNameBy(clock: Finding, facts: CloudFacts, node: JoiningNode): Finding {
  if (clock.verdict === 'fail') return skip('Certificates cannot be verified with a wrong clock');
  return judgeName(facts, node);
}

function judgeName({ node: found }: CloudFacts, { nodeName, hasCertificate, token }: JoiningNode): Finding {
  if (found instanceof OperatorError) return failedBy(found);
  if (found === 'unknown') return skip('The cloud does not report whether the name is free');
  if (found === 'free') return pass(`The cloud has no node "${nodeName}" yet`);
  if (token.claims.node === nodeName) return pass(`The token is for the node "${nodeName}"`);
  if (hasCertificate) return pass(`This machine has a certificate of the node "${nodeName}"`);
  return failedBy(nameTaken(nodeName));
}

function nameTaken(nodeName: string): OperatorError {
  const reason = 'the cloud has a node with that name, and this machine does not have its certificate';
  return new OperatorError('NODE_NAME_TAKEN', `Cannot join as "${nodeName}": ${reason}`, {
    hint: `If this machine is or replaces that node, join with a token from "keadm gettoken --node ${nodeName}"; otherwise give another name with "--edgenode-name".`,
    details: { node: nodeName },
  });
}

function iso(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString();
}
