import { posixScript } from './posix-script.ts';
import { powershellScript } from './powershell-script.ts';

/** The languages a script can be written in. */
export type ScriptShell = 'powershell' | 'sh';

/** The shells, in the order of the help. */
export const SCRIPT_SHELLS: readonly ScriptShell[] = ['powershell', 'sh'];

/** What a script does: it gets keadm from somewhere, makes sure that it is the right one, and runs it. */
export interface ScriptRequest {
  /** A URL, or a path on the machine that runs the script. */
  readonly source: string;
  /** Of keadm, in lower-case hex. */
  readonly sha256: string;
  /** What keadm is told, word by word. */
  readonly words: readonly string[];
}

/** A script that needs nothing but keadm; it stops at the first error, passes on keadm's exit code and can be run again. */
export function prepareScript(shell: ScriptShell, request: ScriptRequest): string {
  return shell === 'powershell' ? powershellScript(request) : posixScript(request);
}
