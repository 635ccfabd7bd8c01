import { OperatorError } from '@fenestra/kernel';
import type { ScriptResult } from '@fenestra/platform';

/** Which script it was, and where its whole output is, or why it was not kept. */
export interface ScriptPlace {
  readonly phase: ScriptPhase;
  readonly path: string;
  readonly output: KeptOutput;
}

/** Where the output of a script is kept, or why it is not. */
export type KeptOutput = { readonly file: string } | { readonly lost: string };

const SHOWN_LINES = 20;

/** The error for a script that did not end well, with the last of what it said; `undefined` for one that did. */
export function scriptFailure(place: ScriptPlace, end: ScriptResult): OperatorError | undefined {
  if (!end.timedOut && end.exitCode === 0) return undefined;
  const { phase, path, output } = place;
  const how = end.timedOut ? 'did not end in time' : `ended with exit code ${end.exitCode}`;
  const shown = end.output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const lines = end.output.trim() === '' ? [] : shown.map((line) => `  ${line}`);
  return new OperatorError('SCRIPT_FAILED', [`The ${phase} script "${path}" ${how}`, ...lines].join('\n'), {
    hint: `${CONSEQUENCES[phase]} ${whereabouts(output)}`,
    details: { phase, path, timedOut: end.timedOut, ...('file' in output ? { outputFile: output.file } : {}) },
  });
}

function whereabouts(output: KeptOutput): string {
  return 'file' in output
    ? `Its whole output is in "${output.file}".`
    : `Its whole output could not be kept: ${output.lost}.`;
}

const CONSEQUENCES: Readonly<Record<ScriptPhase, string>> = {
  'pre-run': 'Nothing was changed: fix the script, then run the command again.',
  'post-run': 'The change of the node succeeded: fix the script and run it yourself.',
};

/** When a script runs. */
export type ScriptPhase = 'pre-run' | 'post-run';

/** What a script gets about the work it stands before or after. Never a secret. */
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
