import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { SystemSetup, ServiceManager, StartType } from '@fenestra/platform';
import type { StepPorts } from '@fenestra/session';
import { defineStep } from '../define-step.ts';

const RESTART = 'it is complete only after a restart of the machine';

/** Installs a package by the system's own installer. One that was there before stays during the rollback. */
export const installPackage = defineStep({
  kind: 'install-package',
  data: z.object({
    /** The package's file. */
    file: z.string(),
    properties: z.readonly(z.array(z.string())),
    /** A service that the package brings, by which it is known to be installed. */
    service: z.string(),
  }),
  before: z.object({ wasThere: z.boolean() }),
  describe: ({ file }) => `Install "${file}"`,
  prepare: async ({ service }, { ports }) => ({ wasThere: (await ports.services.status(service)).state !== 'absent' }),
  async apply({ file, properties }, _before, { ports, say }, signal) {
    const { restart } = await setupOf(ports).packages.install(file, properties, signal);
    if (restart) say(`"${file}": ${RESTART}`, { lasting: true });
  },
  async revert({ file, service }, { wasThere }, { ports, say }, signal) {
    if (wasThere) return;
    await setupOf(ports)
      .packages.uninstall(file, signal)
      .catch(async (error: unknown) => {
        if (!(error instanceof OperatorError) || (await ports.services.status(service)).state !== 'absent') throw error;
        // A package that could not be installed, for example because its file is damaged, cannot be uninstalled either.
        say(error.message, { lasting: true });
      });
  },
});

/** Switches a part of the system on. */
export const enableFeature = defineStep({
  kind: 'enable-feature',
  data: z.object({ feature: z.string(), wasOn: z.boolean() }),
  describe: ({ feature }) => `Switch the feature "${feature}" of Windows on`,
  async apply({ feature }, _before, { ports, say }, signal) {
    const { restart } = await setupOf(ports).packages.enableFeature(feature, signal);
    if (restart) say(`"${feature}": ${RESTART}`, { lasting: true });
  },
  async revert({ feature, wasOn }, _before, { ports, say }, signal) {
    if (wasOn) return;
    await setupOf(ports)
      .packages.disableFeature(feature, signal)
      .catch((error: unknown) => {
        // A feature that this Windows cannot enable cannot be disabled either; one that stays enabled does no harm.
        if (!(error instanceof OperatorError)) throw error;
        say(error.message, { lasting: true });
      });
  },
});

const Content = z.union([
  z.object({ type: z.literal('number'), value: z.int() }),
  z.object({ type: z.literal('text'), value: z.string() }),
  z.object({ type: z.literal('other'), code: z.int(), base64: z.string() }),
]);

/** Stores a setting of the system. The value is journaled, so it must not be secret. */
export const setRegistryValue = defineStep({
  kind: 'set-registry-value',
  data: z.object({
    /** Below HKEY_LOCAL_MACHINE. */
    key: z.string(),
    name: z.string(),
    content: Content,
  }),
  before: z.object({ content: z.nullable(Content), missingKeys: z.readonly(z.array(z.string())) }),
  describe: ({ key, name, content }) =>
    `Set "${name}" of "HKLM\\${key}" to ${content.type === 'other' ? 'its value' : String(content.value)}`,
  async prepare({ key, name }, { ports }) {
    const { registry } = setupOf(ports);
    return { content: (await registry.read(key, name)) ?? null, missingKeys: await registry.missingKeys(key) };
  },
  apply: async ({ key, name, content }, _before, { ports }) => setupOf(ports).registry.write(key, name, content),
  async revert({ key, name }, { content, missingKeys }, { ports }) {
    const { registry } = setupOf(ports);
    const isSame = isDeepStrictEqual((await registry.read(key, name)) ?? null, content);
    if (content !== null) return isSame ? undefined : registry.write(key, name, content);
    if (!isSame) await registry.removeValue(key, name);
    for (const missing of missingKeys.toReversed()) await registry.removeKey(missing);
  },
});

/** What only Windows has; a plan that needs it is never made elsewhere. */
function setupOf({ setup }: StepPorts): SystemSetup {
  if (setup === undefined) throw new Error('A plan for Windows setup runs on another system');
  return setup;
}

/** Makes the programs of a folder known to every shell of the machine. */
export const addToSearchPath = defineStep({
  kind: 'add-to-search-path',
  data: z.object({ folder: z.string() }),
  before: z.object({ wasThere: z.boolean() }),
  describe: ({ folder }) => `Add "${folder}" to the search path of the machine`,
  async prepare({ folder }, { ports }) {
    const entries = await setupOf(ports).searchPath.entries();
    return { wasThere: entries.some((entry) => isSameFolder(entry, folder)) };
  },
  apply: async ({ folder }, _before, { ports }) => setupOf(ports).searchPath.add(folder),
  async revert({ folder }, { wasThere }, { ports }) {
    if (!wasThere) await setupOf(ports).searchPath.remove(folder);
  },
});

/** Whether two entries of a search path mean the same folder of Windows. */
export function isSameFolder(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(folder: string): string {
  return folder.replaceAll('"', '').replace(/\\+$/, '').toLowerCase();
}

const Type = z.enum(['automatic', 'automatic-delayed', 'manual', 'disabled']);

/** Changes when a service that someone else has registered starts, and nothing else of it. */
export const setStartType = defineStep({
  kind: 'set-start-type',
  data: z.object({ service: z.string(), startType: Type }),
  before: z.object({ previous: z.nullable(Type) }),
  describe: ({ service, startType }) => `Make the start of the service "${service}" ${startType}`,
  prepare: async ({ service }, { ports }) => ({ previous: (await ports.services.read(service))?.startType ?? null }),
  async apply({ service, startType }, _before, { ports }) {
    if (!(await change(ports.services, service, startType))) throw notThere(service);
  },
  async revert({ service }, { previous }, { ports }) {
    if (previous !== null) await change(ports.services, service, previous);
  },
});

async function change(services: ServiceManager, name: string, startType: StartType): Promise<boolean> {
  const spec = await services.read(name);
  if (spec === undefined) return false;
  if (spec.startType !== startType) await services.install({ ...spec, startType });
  return true;
}

function notThere(service: string): OperatorError {
  return new OperatorError('SERVICE_NOT_FOUND', `Cannot change the service "${service}": there is none`, {
    hint: 'See whether its package has really installed it: another package may have been given.',
  });
}
