import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { OperatorError, type Step } from '@fenestra/kernel';
import { within, type ServiceManager, type ServiceStatus } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { blameFullDisk, serviceLog } from './health/last-log-lines.ts';
import { defineStep } from './define-step.ts';

/** How long a service may take to start or stop before the step counts as failed. */
const SERVICE_LIMIT_MS = 120_000;

const SpecData = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  executable: z.string(),
  args: z.readonly(z.array(z.string())),
  startType: z.enum(['automatic', 'automatic-delayed', 'manual', 'disabled']),
  dependencies: z.readonly(z.array(z.string())),
  recovery: z.object({ restartDelaysSeconds: z.readonly(z.array(z.number())), resetAfterSeconds: z.number() }),
  rights: z.exactOptional(z.literal('all')),
  writableFolders: z.readonly(z.array(z.string())),
});

type SpecData = z.infer<typeof SpecData>;

const Registered = z.object({ previous: z.nullable(SpecData) });
/** `failing`: it did not run, but its service manager was going to try again. */
const Before = z.object({ was: z.enum(['running', 'failing', 'idle']) });

/** Registers a service, or changes it to the wanted specification. */
export const installService = defineStep({
  kind: 'install-service',
  data: z.object({ spec: SpecData }),
  before: Registered,
  describe: ({ spec }) => `Register the service "${spec.name}"`,
  prepare: async ({ spec }, { ports }) => ({ previous: await registered(ports.services, spec.name) }),
  apply: async ({ spec }, _before, { ports }) => void (await ports.services.install(spec)),
  revert: async ({ spec }, { previous }, { ports }, signal) => register(ports.services, spec.name, previous, signal),
});

/** Starts a service and waits until it runs. */
export const startService = defineStep({
  kind: 'start-service',
  data: z.object({ name: z.string() }),
  before: Before,
  describe: ({ name }) => `Start the service "${name}"`,
  prepare: async ({ name }, { ports }) => ({ was: await conditionOf(ports.services, name) }),
  apply: async ({ name }, _before, { ports }, signal) =>
    ports.services.start(name, within(SERVICE_LIMIT_MS, signal)).catch(async (failure: unknown) => {
      throw await explained(ports, name, failure);
    }),
  async revert({ name }, { was }, { ports }, signal) {
    if (was !== 'running') await ports.services.stop(name, within(SERVICE_LIMIT_MS, signal));
    if (was === 'failing') await startAgain(ports.services, name, signal);
  },
});

/** Stops a service and waits until its process is gone. */
export const stopService = defineStep({
  kind: 'stop-service',
  data: z.object({ name: z.string() }),
  before: Before,
  describe: ({ name }) => `Stop the service "${name}"`,
  prepare: async ({ name }, { ports }) => ({ was: await conditionOf(ports.services, name) }),
  apply: async ({ name }, _before, { ports }, signal) => ports.services.stop(name, within(SERVICE_LIMIT_MS, signal)),
  uphold: async ({ name }, { ports }, signal) => ports.services.stop(name, within(SERVICE_LIMIT_MS, signal)),
  async revert({ name }, { was }, { ports }, signal) {
    if (was === 'running') await ports.services.start(name, within(SERVICE_LIMIT_MS, signal));
    if (was === 'failing') await startAgain(ports.services, name, signal);
  },
});

/** Takes a service out of the system's register. */
export const removeService = defineStep({
  kind: 'remove-service',
  data: z.object({ name: z.string() }),
  before: Registered,
  describe: ({ name }) => `Remove the service "${name}"`,
  prepare: async ({ name }, { ports }) => ({ previous: await registered(ports.services, name) }),
  apply: async ({ name }, _before, { ports }, signal) => ports.services.remove(name, within(SERVICE_LIMIT_MS, signal)),
  revert: async ({ name }, { previous }, { ports }, signal) => register(ports.services, name, previous, signal),
});

/** The step that stops a service, unless there is nothing to stop. */
export function stopUnlessStopped({ state }: Pick<ServiceStatus, 'state'>, name: string): readonly Step[] {
  return state === 'absent' || state === 'stopped' ? [] : [stopService({ name })];
}

/** Undoing takes the log away with the service, so what the program said last goes with the failure. */
async function explained({ host, services }: StepPorts, name: string, failure: unknown): Promise<unknown> {
  const blamed = await blameFullDisk(host, await foldersOf(services, name), failure);
  if (!(blamed instanceof OperatorError) || blamed.code !== 'SERVICE_FAILED') return blamed;
  const { log } = await serviceLog(services, name);
  if (log === undefined) return blamed;
  return new OperatorError(blamed.code, blamed.message, {
    hint: 'Look at the last lines of its log, remove the cause, then run the command again.',
    cause: blamed.cause,
    details: { ...blamed.details, log },
  });
}

async function foldersOf(services: ServiceManager, name: string): Promise<readonly string[]> {
  const spec = await services.read(name);
  return spec === undefined ? [] : [dirname(spec.executable), ...spec.writableFolders];
}

async function registered(services: ServiceManager, name: string): Promise<SpecData | null> {
  const spec = await services.read(name);
  return spec === undefined ? null : SpecData.parse(spec);
}

async function register(
  services: ServiceManager,
  name: string,
  previous: SpecData | null,
  signal: AbortSignal,
): Promise<void> {
  if (previous === null) await services.remove(name, within(SERVICE_LIMIT_MS, signal));
  else if (!isDeepStrictEqual(await registered(services, name), previous)) await services.install(previous);
}

async function conditionOf(services: ServiceManager, name: string): Promise<z.infer<typeof Before>['was']> {
  const { state } = await services.status(name);
  if (state === 'running' || state === 'starting') return 'running';
  return state === 'failed' ? 'failing' : 'idle';
}

/** A service that failed before may well fail now; what counts is that its service manager tries again. */
async function startAgain(services: ServiceManager, name: string, signal: AbortSignal): Promise<void> {
  await services.start(name, within(SERVICE_LIMIT_MS, signal)).catch(() => undefined);
}
