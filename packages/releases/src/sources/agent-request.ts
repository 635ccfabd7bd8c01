import { isVersion, versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { AgentTarget } from '../agent-source.ts';

/** Which agent the operator wants. */
export interface AgentRequest {
  /** What `--from` says: a path or an address. */
  readonly from: string;
  /** What `--version` says, if anything. */
  readonly version?: string | undefined;
  /** The machine that the agent is for. */
  readonly target: { readonly os: 'linux' | 'windows'; readonly arch: string };
  /** Ed25519 public keys in PEM form. If there are any, a release must be signed by one of them. */
  readonly trustKeys: readonly string[];
}

/** Where the question is asked. */
export interface SourceEnvironment {
  /** This program's own file and version. */
  readonly executable: string;
  readonly version: string;
  /** The environment variables that name proxies. */
  readonly variables: NodeJS.ProcessEnv;
}

/** A request after its version was looked at. */
export interface CheckedRequest {
  readonly from: string;
  /** With a leading `v`. */
  readonly version: string | undefined;
  readonly target: AgentTarget;
  readonly trustKeys: readonly string[];
}

/** Refuses a version that is none: it becomes part of paths and addresses. */
export function checkRequest({ from, version, target, trustKeys }: AgentRequest): CheckedRequest {
  if (version !== undefined && !isVersion(version)) throw noVersion(version);
  return { from, target, trustKeys, version: version === undefined ? undefined : versionTag(version) };
}

function noVersion(text: string): OperatorError {
  return new OperatorError('USAGE', `Cannot find version "${text}": it is not a version`, {
    hint: 'Give it like "v1.23.0".',
  });
}
