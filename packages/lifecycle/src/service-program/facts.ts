import { isDeepStrictEqual } from 'node:util';
import {
  type ServiceManager,
  type ServiceSpec,
  type ServiceStatus,
  digestOf,
  pathExists,
  missingPaths,
} from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import { foreignService } from '../node/foreign-service.ts';
import type { ProgramService } from './agent-service.ts';

/** What the plans for a service of ours are made from. */
export interface ServiceFacts {
  readonly wanted: ProgramService;
  /** The program to install: the one that runs right now, which carries every role in itself. */
  readonly program: { readonly path: string; readonly sha256: string };
  /** Digest of the program that is in place. */
  readonly installedSha256: string | undefined;
  readonly missingFolders: readonly string[];
  readonly missingFiles: ProgramService['files'];
  readonly service: ServiceStatus;
  /** Whether what is registered is what we would register. */
  readonly registeredAsWanted: boolean;
}

/** Looks at the machine and changes nothing. */
export async function gatherServiceFacts(
  wanted: ProgramService,
  services: ServiceManager,
  program: string,
): Promise<ServiceFacts> {
  const { spec, folders, files } = wanted;
  const foreign = foreignService(await services.read(spec.name), spec.executable, services);
  if (foreign !== undefined) throw foreign;
  const missingFiles = await missingPaths(files.map(({ path }) => path));
  return {
    wanted,
    program: { path: program, sha256: await digestOf(program) },
    installedSha256: (await pathExists(spec.executable)) ? await digestOf(spec.executable) : undefined,
    missingFolders: await missingPaths(folders),
    missingFiles: files.filter(({ path }) => missingFiles.includes(path)),
    service: await services.status(spec.name),
    registeredAsWanted: await isRegistered(services, spec),
  };
}

/** Whether the running service would not be the wanted one any more. */
export function changesService({ installedSha256, program, registeredAsWanted }: ServiceFacts): boolean {
  return installedSha256 !== program.sha256 || !registeredAsWanted;
}

/**
 * Whether this is what is registered. What was registered counts, and not what the system makes of it: some can do only
 * a part of a recovery policy. One that does not give the policy back at all is believed to have the one it was given.
 */
export async function isRegistered(services: ServiceManager, wanted: ServiceSpec): Promise<boolean> {
  const found = await services.read(wanted.name);
  if (found === undefined) return false;
  const canTell = (await services.recovery(wanted.name)) !== undefined;
  return isDeepStrictEqual(canTell ? found : { ...found, recovery: wanted.recovery }, wanted);
}

/**
 * Throws `NODE_CONFLICT` if the agent of a joined node would be replaced or registered again. That is an upgrade, and wants
 * a backup, a proof and a way back.
 */
export async function refuseJoinedNode(facts: ServiceFacts, configFile: string): Promise<void> {
  if (facts.service.state === 'absent' || !changesService(facts) || !(await pathExists(configFile))) return;
  throw new OperatorError('NODE_CONFLICT', 'Cannot install the agent: this machine is a node already', {
    hint: 'To change its version, run "keadm upgrade"; "keadm service start" starts the installed agent.',
    details: { configuration: configFile },
  });
}
