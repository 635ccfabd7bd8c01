import { isDeepStrictEqual } from 'node:util';
import type { NodeLayout, ServiceManager, ServiceSpec, ServiceStatus } from '@fenestra/platform';
import { digestOf, pathExists } from '@fenestra/steps';
import { AGENT_SERVICE, agentSpec } from './agent-spec.ts';

/** What the plans for the agent's service are made from. */
export interface AgentFacts {
  readonly layout: NodeLayout;
  /** The program to install: the one that runs right now, which carries the agent in itself. */
  readonly program: { readonly path: string; readonly sha256: string };
  readonly installed: { readonly path: string; readonly sha256: string } | undefined;
  readonly missingFolders: readonly string[];
  readonly service: ServiceStatus;
  /** Whether what is registered is what we would register. */
  readonly registeredAsWanted: boolean;
}

/** Looks at the machine and changes nothing. */
export async function gatherAgentFacts(
  layout: NodeLayout,
  services: ServiceManager,
  program: string,
): Promise<AgentFacts> {
  const folders = [layout.configFolder, layout.stateFolder, layout.agentFolder];
  return {
    layout,
    program: { path: program, sha256: await digestOf(program) },
    installed: await installedProgram(layout.agentExecutable),
    missingFolders: await filterMissing(folders),
    service: await services.status(AGENT_SERVICE),
    registeredAsWanted: await isRegistered(services, agentSpec(layout)),
  };
}

/** A system that does not give a recovery policy back is believed to hold the one it was given. */
async function isRegistered(services: ServiceManager, wanted: ServiceSpec): Promise<boolean> {
  const found = await services.read(wanted.name);
  if (found === undefined) return false;
  const recovery = (await services.recovery(wanted.name)) ?? wanted.recovery;
  return isDeepStrictEqual({ ...found, recovery }, wanted);
}

async function installedProgram(path: string): Promise<AgentFacts['installed']> {
  return (await pathExists(path)) ? { path, sha256: await digestOf(path) } : undefined;
}

async function filterMissing(paths: readonly string[]): Promise<readonly string[]> {
  const missing = await Promise.all(paths.map(async (path) => !(await pathExists(path))));
  return paths.filter((_path, index) => missing[index]);
}
