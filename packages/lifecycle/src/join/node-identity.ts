import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { nodeCommonName, type EdgecoreConfig, parseJoinToken } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { pathExists } from '@fenestra/platform';
import type { NodeFacts } from '../node/node-facts.ts';
import { cloudOf, endpointText } from './cloud-address.ts';

/** Whether the configuration that is there already makes this machine the wanted node. */
export function isSameNode(present: EdgecoreConfig, wanted: EdgecoreConfig): boolean {
  return whoIs(present) === whoIs(wanted);
}

/** Throws `NODE_CONFLICT` if this machine is a node already, and another one than the wanted. */
export function refuseOtherNode({ joined, config, configProblem }: NodeFacts, wanted: EdgecoreConfig): void {
  if (!joined) return;
  if (configProblem !== undefined) throw configProblem;
  if (config === undefined || isSameNode(config, wanted)) return;
  throw new OperatorError('NODE_CONFLICT', `Cannot join as ${whoIs(wanted)}: this machine is ${whoIs(config)}`, {
    hint: 'Run "keadm reset" first; then join this machine again.',
  });
}

/** Whether the node has a certificate of its cloud, so that it needs no token any more. */
async function hasIdentity({ modules: { edgeHub } }: EdgecoreConfig, now: Date): Promise<boolean> {
  const { tlsCaFile, tlsCertFile, tlsPrivateKeyFile } = edgeHub;
  const there = await Promise.all([tlsCaFile, tlsPrivateKeyFile].map(pathExists));
  return there.every(Boolean) && (await isCurrent(tlsCertFile, now));
}

/** Whether there is a certificate of this node with a key, even if it has expired. Only the cloud can judge what it is worth. */
export async function hasCertificateOf(nodeName: string, { modules: { edgeHub } }: EdgecoreConfig): Promise<boolean> {
  const { tlsCertFile, tlsPrivateKeyFile } = edgeHub;
  const subject = (await certificateIn(tlsCertFile))?.subject.split('\n') ?? [];
  return subject.includes(`CN=${nodeCommonName(nodeName)}`) && (await pathExists(tlsPrivateKeyFile));
}

async function isCurrent(file: string, now: Date): Promise<boolean> {
  const certificate = await certificateIn(file);
  return certificate !== undefined && certificate.validToDate > now;
}

/** Undefined if it is missing or no certificate: either way the agent needs a new one. */
async function certificateIn(file: string): Promise<X509Certificate | undefined> {
  try {
    return new X509Certificate(await readFile(file));
  } catch {
    return undefined;
  }
}

function whoIs(config: EdgecoreConfig): string {
  const { certificates, hub } = cloudOf(config);
  const name = config.modules.edged.hostnameOverride;
  return `the node "${name}" of the cloud at "${endpointText(hub)}" (certificates at "${endpointText(certificates)}")`;
}

/** A node that is there already, and what it would join with. */
export interface KnownNode {
  readonly node: Pick<NodeFacts, 'agent' | 'agentKind'>;
  readonly config: EdgecoreConfig;
}

/** What an agent says whose certificate does not help it. */
const REFUSALS: readonly string[] = ['CERTIFICATE_REJECTED', 'TOKEN_INVALID', 'HUB_UNTRUSTED'];

/**
 * The token that a node which is there already gets. One that has a certificate needs none; one that has lost it, or
 * whose cloud refuses it, cannot do without. An agent that does not run cannot say which it is, so it gets what there is.
 */
export async function tokenForKnown(
  { node: { agent, agentKind }, config }: KnownNode,
  given: string | undefined,
  now: Date,
): Promise<string | undefined> {
  const isRefused = REFUSALS.includes(agent?.problem?.code ?? '');
  if (isRefused || !(await hasIdentity(config, now))) return requireToken(given);
  const isSilent = agent === undefined && agentKind === 'fenestra';
  return isSilent && given !== undefined ? requireToken(given) : undefined;
}

/** The token to join with, whose shape is right; throws `TOKEN_INVALID` if there is none or it is not a token. */
export function requireToken(text: string | undefined): string {
  if (text === undefined || text.trim() === '') throw missing();
  parseJoinToken(text);
  return text.trim();
}

function missing(): OperatorError {
  return new OperatorError('TOKEN_INVALID', 'Cannot join without a token', {
    hint: 'Get one with "keadm gettoken" on the cloud machine, and give it with "--token-file FILE", "--token -" or KEADM_TOKEN.',
  });
}
