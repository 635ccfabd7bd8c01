import { join } from 'node:path';
import type { Secrets, StepPorts } from '@fenestra/session';
import type { KeadmEnvironment } from '../../platform.ts';
import { keadmFile, targetName, type ProgramTarget } from './program-target.ts';

/** What finding executables needs. */
export interface ProgramTools {
  readonly environment: Pick<KeadmEnvironment, 'executable' | 'version' | 'trustKeys' | 'signal' | 'loadPlatform'>;
  /** A private folder for what has to be fetched or unpacked. */
  readonly scratch: string;
}

/** Where the executable for a kind of machine goes that has to be fetched or unpacked. */
export function scratchFile({ scratch }: ProgramTools, target: ProgramTarget): string {
  return join(scratch, `${targetName(target)}-${keadmFile(target)}`);
}

/** This machine, as the parts that fetch and check releases see it. */
export async function stepPorts({ environment }: ProgramTools, secrets: Secrets): Promise<StepPorts> {
  const { host, files, access, services } = await environment.loadPlatform(undefined);
  return { host, files, access, services, secrets };
}
