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

/** What may stand in keadm's own environment and is nobody else's business. */
const SECRET_VARIABLES = ['KEADM_TOKEN', 'KEADM_PASSPHRASE'] as const;

/** The facts as environment variables. Variables that hold secrets are blanked, since a script inherits the rest. */
export function scriptVariables(facts: ScriptFacts, phase: ScriptPhase): Readonly<Record<string, string>> {
  const { command, os, arch, nodeName = '', cloud = '', version = '' } = facts;
  return {
    ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, ''])),
    FENESTRA_COMMAND: command,
    FENESTRA_PHASE: phase,
    FENESTRA_OS: os,
    FENESTRA_ARCH: arch,
    FENESTRA_NODE_NAME: nodeName,
    FENESTRA_CLOUD: cloud,
    FENESTRA_VERSION: version,
  };
}
