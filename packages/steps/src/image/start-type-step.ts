import { OperatorError } from '@fenestra/kernel';
import type { ServiceManager, StartType } from '@fenestra/platform';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';

const Type = z.enum(['automatic', 'automatic-delayed', 'manual', 'disabled']);

/** Changes when a service that somebody else has registered starts, and nothing else of it. */
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
