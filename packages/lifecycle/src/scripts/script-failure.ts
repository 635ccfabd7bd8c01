import { OperatorError } from '@fenestra/kernel';
import type { ScriptResult } from '@fenestra/platform';
import type { ScriptPhase } from './script-variables.ts';

/** Which script it was, and where its whole output is. */
export interface ScriptPlace {
  readonly phase: ScriptPhase;
  readonly path: string;
  readonly outputFile: string;
}

const SHOWN_LINES = 20;

/** The error for a script that did not end well, with the last of what it said; `undefined` for one that did. */
export function scriptFailure(place: ScriptPlace, end: ScriptResult): OperatorError | undefined {
  if (!end.timedOut && end.exitCode === 0) return undefined;
  const { phase, path, outputFile } = place;
  const how = end.timedOut ? 'did not end in time' : `ended with exit code ${end.exitCode}`;
  const shown = end.output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const lines = end.output.trim() === '' ? [] : shown.map((line) => `  ${line}`);
  return new OperatorError('SCRIPT_FAILED', [`The ${phase} script "${path}" ${how}`, ...lines].join('\n'), {
    hint: `${CONSEQUENCES[phase]} Its whole output is in "${outputFile}".`,
    details: { phase, path, timedOut: end.timedOut, outputFile },
  });
}

const CONSEQUENCES: Readonly<Record<ScriptPhase, string>> = {
  'pre-run': 'Nothing was changed: mend the script, then run the command again.',
  'post-run': 'The node itself was changed as wanted: mend the script and run it by hand.',
};
