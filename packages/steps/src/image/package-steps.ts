import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { setupOf } from './registry-step.ts';

const RESTART = 'it is complete only after a restart of the machine';

/** Installs a package by the system's own installer. One that was there before stays on the way back. */
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
