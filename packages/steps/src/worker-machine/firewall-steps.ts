import type { Firewall } from '@fenestra/platform';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import type { StepPorts } from '@fenestra/session';

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
