import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { nodePath } from '@fenestra/contracts';
import { within, pathExists } from '@fenestra/platform';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';

/** A node's name, and what proves to its cloud that it is its own. */
export const NamedNode = z.object({
  nodeName: z.string(),
  /** The cloud's HTTPS server. */
  cloud: z.string(),
  caFile: z.string(),
  certificateFile: z.string(),
  keyFile: z.string(),
});
export type NamedNode = z.infer<typeof NamedNode>;

const LIMIT_MS = 5_000;
const REMOVED = 204;
const ACCEPTED = 202;
const CONFLICT = 409;

/**
 * Tells the cloud by the node's own certificate that this machine is that node no more, so that its name is free.
 * Returns what an operator has to know: nothing if the cloud has removed the node, or if it never had a certificate.
 */
async function giveNameBack(node: NamedNode, signal: AbortSignal): Promise<string | undefined> {
  const identity = await readIdentity(node);
  if (identity === undefined) return undefined;
  const status = await leave(node, identity, signal).catch(() => undefined);
  signal.throwIfAborted();
  const remedy = `to remove the Node object, run "kubectl delete node ${node.nodeName}"`;
  if (status === REMOVED) return undefined;
  if (status === ACCEPTED) return `This machine has left the cloud, but its Node object stays there; ${remedy}`;
  if (status === CONFLICT) return `Another machine is the node "${node.nodeName}" now: it stays in the cloud`;
  return `The cloud may still have the node "${node.nodeName}"; ${remedy}`;
}

interface Identity {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

async function readIdentity({ caFile, certificateFile, keyFile }: NamedNode): Promise<Identity | undefined> {
  try {
    const [ca, cert, key] = await Promise.all([readFile(caFile), readFile(certificateFile), readFile(keyFile)]);
    return { ca, cert, key };
  } catch {
    // A machine that never got a certificate was never that node.
    return undefined;
  }
}

async function leave({ cloud, nodeName }: NamedNode, identity: Identity, signal: AbortSignal): Promise<number> {
  const outgoing = request(new URL(nodePath(nodeName), cloud), {
    ...identity,
    method: 'DELETE',
    agent: false,
    signal: within(LIMIT_MS, signal),
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject).end();
  });
  response.resume();
  return response.statusCode ?? 0;
}

const HoldName = z.extend(NamedNode, {
  /** Whether the token that the node joins with can be used only once. */
  singleUse: z.boolean(),
});
type HoldName = z.infer<typeof HoldName>;

/** The agent takes the name when it joins; undoing the join gives it back, before the certificate is removed. */
export const holdName = defineStep({
  kind: 'hold-name',
  data: HoldName,
  describe: ({ nodeName, cloud }) => `Take the name "${nodeName}" in the cloud at "${cloud}"`,
  apply: async () => {},
  async revert(step, _before, { say }, signal) {
    const use = step.singleUse ? await tokenUse(step) : undefined;
    const note = await giveNameBack(step, signal);
    if (note !== undefined) say(note, { lasting: true });
    if (use !== undefined) {
      say(`The token ${use}; get another with "keadm gettoken --node ${step.nodeName}"`, { lasting: true });
    }
  },
});

/** While the agent waits for its certificate, it keeps the key that it asks with beside the key that it has. */
async function tokenUse({ certificateFile, keyFile }: HoldName): Promise<string | undefined> {
  if (await pathExists(certificateFile)) return 'is used up';
  return (await pathExists(`${keyFile}.pending`)) ? 'may be used up' : undefined;
}

/** Gives the node's name back by its own certificate. A cloud that cannot be reached does not stop the reset. */
export const leaveCloud = defineStep({
  kind: 'leave-cloud',
  pointOfNoReturn: true,
  data: NamedNode,
  describe: ({ nodeName, cloud }) => `Notify the cloud at "${cloud}" that node "${nodeName}" leaves`,
  async apply(step, _before, { say }, signal) {
    const note = await giveNameBack(step, signal);
    if (note !== undefined) say(note, { lasting: true });
  },
});
