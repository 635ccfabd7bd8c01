import { X509Certificate } from 'node:crypto';
import { caHashOf, type JoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import type { CloudAddress } from '../cloud-address.ts';
import { askForCa, askForNode, knockAt, type OfferedCa } from './ask-cloud.ts';

/** What can be seen of the cloud from here. */
export interface CloudFacts {
  /** What it offers as its CA, or why it offers none. */
  readonly ca: OfferedCa | OperatorError;
  /** Why the hub does not answer. */
  readonly hubProblem: OperatorError | undefined;
  /** Whether it has a node of the wanted name; an error if a cloud with the right CA cannot be trusted after all. */
  readonly node: 'free' | 'taken' | 'unknown' | OperatorError;
}

/** Whom to ask for what. */
export interface CloudQuestion {
  readonly cloud: CloudAddress;
  readonly token: JoinToken;
  readonly nodeName: string;
}

/** Asks the cloud and changes nothing. Whatever it answers is a fact, not a failure. */
export async function gatherCloudFacts(question: CloudQuestion, signal: AbortSignal): Promise<CloudFacts> {
  const { cloud } = question;
  const [ca, knocked] = await Promise.all([
    orProblem(askForCa(cloud.certificates, signal), signal),
    orProblem(knockAt(cloud.hub, signal), signal),
  ]);
  const node = ca instanceof OperatorError ? 'unknown' : await orProblem(findNode(question, ca, signal), signal);
  return { ca, hubProblem: knocked instanceof OperatorError ? knocked : undefined, node };
}

/** Only a cloud whose CA the token vouches for is asked, and believed. */
async function findNode(
  { cloud, token, nodeName }: CloudQuestion,
  { certificate }: OfferedCa,
  signal: AbortSignal,
): Promise<'free' | 'taken' | 'unknown'> {
  if (caHashOf(certificate) !== token.caHash) return 'unknown';
  const ca = new X509Certificate(certificate).toString();
  return askForNode(cloud.certificates, { ca, nodeName }, signal);
}

/** The answer, or why there is none. An interruption is thrown. */
export async function orProblem<T>(work: Promise<T>, signal: AbortSignal): Promise<T | OperatorError> {
  return work.catch((error: unknown) => {
    throwIfAborted('asking the cloud', signal);
    if (error instanceof OperatorError) return error;
    throw error;
  });
}
