import { stat } from 'node:fs/promises';
import { type NodeLayout, type ServiceSpec, type ServiceStatus, digestOf } from '@fenestra/platform';
import { type AgentSource, releaseSecrets, resolveAgentSource } from '@fenestra/releases';
import { versionTag } from '@fenestra/contracts';
import type { NodeSession } from '@fenestra/session';
import type { AgentKind } from '../node/node-facts.ts';
import type { CertificatePaths, Footprint } from '../node/node-files.ts';
import type { JoinWishes } from './join-wishes.ts';

/** The name under which a run holds the join token. */
export const TOKEN_SECRET = 'join-token';

/** The agent to install: the one keadm carries, or one from elsewhere. */
export type JoinProgram =
  | { readonly from: 'keadm'; readonly path: string; readonly sha256: string; readonly version: string }
  | { readonly from: 'release'; readonly source: AgentSource; readonly version: string };

/** Whose agent the program is. */
export function wantedKind(program: JoinProgram): AgentKind {
  return program.from === 'release' ? program.source.kind : 'fenestra';
}

/** What a join is planned from. It holds digests of secrets, and no secret. */
export interface JoinFacts {
  readonly nodeName: string;
  /** The cloud's HTTPS server. */
  readonly cloud: string;
  readonly layout: NodeLayout;
  readonly footprint: Footprint;
  /** Where the agent keeps its certificate. */
  readonly certificates: CertificatePaths;
  /** Whether the join token can be used only once. */
  readonly singleUseToken: boolean;
  /** Where the agent says how it is. */
  readonly statusFolder: string;
  /** The node's configuration is there: someone joined this machine before, so what is there is kept. */
  readonly known: boolean;
  readonly program: JoinProgram;
  /** Whose agent runs in the end. */
  readonly agentKind: AgentKind;
  /** Digest of the program that is in place. */
  readonly installedSha256: string | undefined;
  readonly installedVersion: string | undefined;
  readonly programFolderMissing: boolean;
  readonly configurationSha256: string;
  /** Digest of a configuration that is there and will be replaced. */
  readonly strangeConfigurationSha256: string | undefined;
  /** Digest of the join token, if one is to be used. */
  readonly tokenSha256: string | undefined;
  /** Digests of the files that a token and the version are written over. */
  readonly oldTokenSha256: string | undefined;
  readonly oldVersionSha256: string | undefined;
  readonly spec: ServiceSpec;
  readonly service: ServiceStatus;
  /** Whether the service is registered as this join would do it. */
  readonly registered: boolean;
  /** The agent runs and is connected, as far as it tells. */
  readonly healthy: boolean;
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}

/** Whether the program has to be put in place: a node that was joined before keeps the one it has. */
export function placesProgram({ known, program, installedSha256 }: JoinFacts): boolean {
  if (installedSha256 === undefined) return true;
  if (known) return false;
  const wanted = program.from === 'release' ? program.source.executableSha256 : program.sha256;
  return wanted !== installedSha256;
}

/** Whether the service has to be registered: one that a joined node has is kept as it is. */
export function registersService({ known, service, registered }: JoinFacts): boolean {
  if (service.state === 'absent') return true;
  return !known && !registered;
}

/** Whether the file has to be written that says which version is installed. */
export function recordsVersion(facts: JoinFacts): boolean {
  const { known, installedVersion, program } = facts;
  return known ? placesProgram(facts) : installedVersion !== program.version;
}

/**
 * Whether the service must not go on as it runs now. A token goes to an agent that begins again, because one that runs may
 * have given up, and what it says of itself would be about the time before.
 */
export function changesService(facts: JoinFacts): boolean {
  return !facts.known || facts.tokenSha256 !== undefined || placesProgram(facts) || registersService(facts);
}

/** Finds the agent to install: the one keadm carries, unless another was asked for. Reads only. */
export async function wantedProgram(
  { host }: NodeSession,
  { program, release }: JoinWishes,
  signal: AbortSignal,
): Promise<JoinProgram> {
  const { path, version } = program;
  if (release === undefined) {
    return { from: 'keadm', path, sha256: await digestOf(path), version: versionTag(version) };
  }
  const { os, arch } = await host.facts();
  const environment = { executable: path, version, variables: process.env };
  const source = await resolveAgentSource({ ...release, target: { os, arch } }, environment, signal);
  return { from: 'release', source, version: versionTag(source.version) };
}

/** What a run must know to get the agent, and its journal must not. */
export function programSecrets({ release }: JoinWishes): ReadonlyMap<string, string> {
  return release === undefined ? new Map() : releaseSecrets(release.from);
}

/** How much room the program takes on the disk, about. */
export async function sizeOf(program: JoinProgram): Promise<number> {
  return program.from === 'release' ? program.source.size : (await stat(program.path)).size;
}
