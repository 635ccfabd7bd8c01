import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import {
  lastLines,
  requireServiceName,
  type InstallOutcome,
  type ServiceManager,
  type ServiceSpec,
} from '@fenestra/platform';
import { posixFileStore } from '../files/posix-file-store.ts';
import { observeService } from './observe-service.ts';
import { supervisedRuns } from './supervised-runs.ts';
import { type ServiceFolder, serviceFolder, readSpec, specText } from './service-folder.ts';
import { supervisorProcesses } from './supervisor-processes.ts';

const FORGETTING_MS = 30_000;

/** How services are kept where there is no service manager. */
export interface SupervisorOptions {
  /** Services are in `services/<name>` below this folder. */
  readonly stateFolder: string;
  /** The command that, with a service's folder as its last argument, runs `superviseService`. */
  readonly supervisorCommand: readonly string[];
  /** What an operator types before the action and the name of a service. Default `keadm service`. */
  readonly operatorCommand?: string;
}

/** Services that each have a small supervisor process of ours; needs neither root nor a service manager. */
export function supervisedServices(options: SupervisorOptions): ServiceManager {
  const { supervisorCommand, operatorCommand = 'keadm service' } = options;
  const servicesFolder = resolve(options.stateFolder, 'services');
  const folderOf = (name: string): ServiceFolder => {
    requireServiceName(name);
    return serviceFolder(join(servicesFolder, name));
  };
  const commandLine: ServiceManager['commandLine'] = (action, name) =>
    action === 'logs' ? `tail -n 100 ${folderOf(name).log}` : `${operatorCommand} ${action} ${name}`;
  const runs = supervisedRuns({ folderOf, supervisorCommand, commandLine });
  return {
    ...runs,
    install: async (spec) => installSpec(folderOf(spec.name), spec),
    status: async (name) => (await observeService(folderOf(name))).status,
    read: async (name) => readSpec(folderOf(name).spec),
    recovery: async (name) => (await readSpec(folderOf(name).spec))?.recovery,
    async remove(name, signal) {
      await runs.stop(name, signal);
      await posixFileStore().removeTree(folderOf(name).path, servicesFolder, signal);
    },
    forget: async (name) => forgetService(folderOf(name), servicesFolder),
    lastLines: async (name, count) => lastLines(folderOf(name).log, count),
    commandLine,
  };
}

/** A supervisor that finds no spec any more lets its program be the last, and takes the folder with it when it goes. */
async function forgetService(folder: ServiceFolder, servicesFolder: string): Promise<void> {
  const files = posixFileStore();
  await files.removeTree(folder.spec, servicesFolder, forgettingTime());
  if ((await supervisorProcesses(folder)).length === 0) {
    await files.removeTree(folder.path, servicesFolder, forgettingTime());
  }
}

function forgettingTime(): AbortSignal {
  return AbortSignal.timeout(FORGETTING_MS);
}

async function installSpec(folder: ServiceFolder, spec: ServiceSpec): Promise<InstallOutcome> {
  const before = await readSpec(folder.spec);
  if (before !== undefined && specText(before) === specText(spec)) return 'unchanged';
  await createPrivateFolder(folder.path);
  await reserveBlocks(folder);
  await posixFileStore().replace(folder.spec, specText(spec));
  return before === undefined ? 'created' : 'updated';
}

/** The files that a start writes get a block each, so that the service can also be started when the disk is full. */
async function reserveBlocks({ pidFile, record, readiness }: ServiceFolder): Promise<void> {
  for (const file of [pidFile, record, readiness]) {
    await writeFile(file, '{}\n', { mode: 0o600, flag: 'wx' }).catch((cause: unknown) => {
      if (systemCodeOf(cause) !== 'EEXIST') throw fileError(cause, `create "${file}"`);
    });
  }
}

async function createPrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw fileError(cause, `create folder "${path}"`);
  }
}
