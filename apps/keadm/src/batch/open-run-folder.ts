import { createRunFolder, newRunId, reopenRunFolder, type RunFolder, type RunKeeping } from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';

/** Makes the folder of a new run. */
export async function newRunFolder(environment: KeadmEnvironment, runs: string, command: string): Promise<RunFolder> {
  const id = newRunId(environment.now(), Math.random);
  return createRunFolder(runs, id, await keepingFor(environment, command));
}

/** Opens the folder of a run that goes on. */
export async function oldRunFolder(environment: KeadmEnvironment, folder: string, command: string): Promise<RunFolder> {
  return reopenRunFolder(folder, await keepingFor(environment, command));
}

async function keepingFor(environment: KeadmEnvironment, command: string): Promise<RunKeeping> {
  const { host, files } = await environment.loadPlatform(undefined);
  return {
    owner: { ...(await host.self()), command: `keadm batch ${command}` },
    isAlive: async (process) => host.isAlive(process),
    syncFolder: async (path) => files.syncFolder(path),
  };
}
