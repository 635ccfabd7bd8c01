import type { Firewall } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '@fenestra/session';
import { OperatorError } from '@fenestra/kernel';
import { defineStep } from '../define-step.ts';

const Rule = z.object({
  name: z.string(),
  description: z.string(),
  protocol: z.enum(['tcp', 'udp']),
  port: z.int(),
});

const Before = z.object({ was: z.enum(['open', 'closed', 'unknown']) });

/** Lets traffic in through the system's own firewall. */
export const openFirewall = defineStep({
  kind: 'open-firewall',
  data: z.object({ rule: Rule }),
  before: Before,
  describe: ({ rule }) => `Let ${trafficOf(rule)} in, as the firewall rule "${rule.name}"`,
  prepare: async ({ rule }, { ports }) => ({ was: await firewallOf(ports).state(rule) }),
  apply: async ({ rule }, _before, { ports }) => firewallOf(ports).open(rule),
  async revert({ rule }, { was }, { ports }) {
    if (was !== 'open') await firewallOf(ports).close(rule.name);
  },
});

/** Takes a rule of ours out of the system's own firewall. */
export const closeFirewall = defineStep({
  kind: 'close-firewall',
  data: z.object({ rule: Rule }),
  before: Before,
  describe: ({ rule }) => `Remove the firewall rule "${rule.name}" for ${trafficOf(rule)}`,
  prepare: async ({ rule }, { ports }) => ({ was: await firewallOf(ports).state(rule) }),
  apply: async ({ rule }, _before, { ports }) => firewallOf(ports).close(rule.name),
  async revert({ rule }, { was }, { ports }) {
    if (was !== 'closed') await firewallOf(ports).open(rule);
  },
});

function trafficOf({ protocol, port }: z.infer<typeof Rule>): string {
  return `${protocol.toUpperCase()} port ${port}`;
}

function firewallOf({ firewall }: StepPorts): Firewall {
  if (firewall === undefined) throw new Error('A plan for the firewall runs on a system without one');
  return firewall;
}

/** Removes a network of containers with its endpoints. One that the system holds on to is reported, and holds nothing up. */
export const removeContainerNetwork = defineStep({
  kind: 'remove-container-network',
  pointOfNoReturn: true,
  data: z.object({
    id: z.string(),
    /** For people. */
    name: z.string(),
  }),
  describe: ({ name }) => `Remove the container network "${name}"`,
  async apply({ id, name }, _before, { ports, say }) {
    if (ports.networks === undefined) throw new Error('A plan for networks runs on a system without them');
    await ports.networks.remove(id).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      say(`The container network "${name}" stays: ${error.message}`, { lasting: true });
    });
  },
});
