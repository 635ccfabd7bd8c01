/** When a script runs. */
export type ScriptPhase = 'pre-run' | 'post-run';

/** What a script is told about the work it stands before or after. Never a secret. */
export interface ScriptFacts {
  /** `join`, `upgrade`, … */
  readonly command: string;
  readonly os: string;
  readonly arch: string;
  readonly nodeName?: string;
  /** The cloud's host name or address. */
  readonly cloud?: string;
  /** The version of the agent that is to be there afterwards. */
  readonly version?: string;
}

/** The facts as environment variables. */
export function scriptVariables(facts: ScriptFacts, phase: ScriptPhase): Readonly<Record<string, string>> {
  const { command, os, arch, nodeName = '', cloud = '', version = '' } = facts;
  return {
    FENESTRA_COMMAND: command,
    FENESTRA_PHASE: phase,
    FENESTRA_OS: os,
    FENESTRA_ARCH: arch,
    FENESTRA_NODE_NAME: nodeName,
    FENESTRA_CLOUD: cloud,
    FENESTRA_VERSION: version,
  };
}
