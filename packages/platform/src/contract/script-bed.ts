import type { Scripts } from '../scripts/scripts.ts';

/** A real system that runs scripts. */
export interface ScriptBed {
  readonly scripts: Scripts;
  /** An existing scratch folder. */
  readonly folder: string;
  /**
   * Writes a script of the system's own kind into the folder, which hands its arguments on to Node with this program,
   * and its exit code back; returns its path.
   */
  writeScript(folder: string, programFile: string): Promise<string>;
}
