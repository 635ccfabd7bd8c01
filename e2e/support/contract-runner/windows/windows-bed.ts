import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { RECOVERY_POLICY, type ServiceSpec } from '@fenestra/platform';
import type { ProgramBehaviour, ServiceBed } from '@fenestra/platform/contract';
import { type Koffi, type Native, scmServices } from '@fenestra/platform-windows';

/** A Windows machine and everything on it that the cases ask. */
export interface WindowsBed {
  readonly koffi: Koffi;
  readonly native: Native;
  /** An existing scratch folder. */
  readonly folder: string;
  readonly program: ServiceBed['program'];
  /** The command line of a program that is this service, paused. */
  readonly pausedProgram: (service: string) => ReturnType<ServiceBed['program']>;
}

const PATIENCE_MS = 30_000;

/** A signal for waits that should end well before it fires. */
export function soon(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** A fresh folder for one case. */
export async function scratchFolder({ folder }: WindowsBed): Promise<string> {
  return mkdtemp(join(folder, 'windows-'));
}

/** What a case may want different about its service. */
interface ServiceOptions {
  readonly behaviour?: ProgramBehaviour;
  readonly executable?: string;
  /** In place of the noting program. */
  readonly program?: (service: string) => ReturnType<ServiceBed['program']>;
}

/** Installs a service under a name no one has, lets the case use it, and removes it whatever happens. */
export async function withService(
  bed: WindowsBed,
  options: ServiceOptions,
  use: (spec: ServiceSpec) => Promise<void>,
): Promise<void> {
  const services = scmServices(bed.native);
  const spec = scratchSpec(bed, options);
  try {
    await services.install(spec);
    await use(spec);
  } finally {
    await services.remove(spec.name, soon());
  }
}

function scratchSpec(bed: WindowsBed, { behaviour = 'serve', program, ...change }: ServiceOptions): ServiceSpec {
  const name = `windows-${randomBytes(5).toString('hex')}`;
  const noteFile = join(bed.folder, `${name}.notes`);
  return {
    name,
    displayName: `Windows ${name}`,
    description: 'Lives for one test',
    ...(program === undefined ? bed.program(name, noteFile, behaviour) : program(name)),
    ...change,
    startType: 'manual',
    dependencies: [],
    recovery: RECOVERY_POLICY,
    writableFolders: [],
  };
}
