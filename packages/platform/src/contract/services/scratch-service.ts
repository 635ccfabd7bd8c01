import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RECOVERY_POLICY, type ServiceSpec } from '../../service-manager.ts';
import { eventually, soon } from '../case.ts';
import type { ProgramBehaviour, ServiceBed } from '../beds.ts';

/** A service of one case's own. */
export interface ScratchService {
  readonly name: string;
  readonly spec: ServiceSpec;
  /** The lines its program has noted so far. */
  readonly notes: () => Promise<readonly string[]>;
  /** Waits until the program has noted this line. */
  readonly noted: (line: string) => Promise<void>;
  /** The process id of the running service. */
  readonly pid: () => Promise<number>;
}

/** What a case may want different. */
export interface ScratchOptions {
  readonly behaviour?: ProgramBehaviour;
  readonly installed?: boolean;
  readonly change?: Partial<ServiceSpec>;
}

/** Installs a service under a name no one has, lets the case use it, and removes it whatever happens. */
export async function withService(
  bed: ServiceBed,
  options: ScratchOptions,
  use: (service: ScratchService) => Promise<void>,
): Promise<void> {
  const service = scratchService(bed, options);
  try {
    if (options.installed ?? true) await bed.services.install(service.spec);
    await use(service);
  } finally {
    await bed.services.remove(service.name, soon());
  }
}

function scratchService(bed: ServiceBed, options: ScratchOptions): ScratchService {
  const name = `contract-${randomBytes(5).toString('hex')}`;
  const noteFile = join(bed.folder, `${name}.notes`);
  const program = bed.program(name, noteFile, options.behaviour ?? 'serve');
  const notes = async (): Promise<readonly string[]> =>
    (await textOf(noteFile)).split('\n').filter((line) => line !== '');
  return {
    name,
    spec: { ...plainSpec(name), ...program, ...options.change },
    notes,
    noted: (line) => eventually(`the program notes "${line}"`, async () => (await notes()).includes(line)),
    pid: () => pidOf(bed, name),
  };
}

function plainSpec(name: string): Omit<ServiceSpec, 'executable' | 'args'> {
  return {
    name,
    displayName: `Contract ${name}`,
    description: 'Lives for one test',
    startType: 'manual',
    dependencies: [],
    recovery: RECOVERY_POLICY,
    writableFolders: [],
  };
}

async function textOf(noteFile: string): Promise<string> {
  try {
    return await readFile(noteFile, 'utf8');
  } catch {
    // Nothing has been noted yet, or the system locks the file while it is being written.
    return '';
  }
}

async function pidOf(bed: ServiceBed, name: string): Promise<number> {
  const { state, pid } = await bed.services.status(name);
  if (pid === undefined) throw new Error(`service "${name}" is ${state} and has no process`);
  return pid;
}
