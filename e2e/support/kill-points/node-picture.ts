import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_SERVICE } from '@fenestra/lifecycle';
import * as z from 'zod';
import type { EdgeNode } from '../cloud/edge-node.ts';
import { pictureOf, type Tree } from '../crash/tree.ts';
import { registrationOf } from '../machines/registration.ts';
import { isUnfinished, newestJournal } from './journal-watch.ts';
import { steadyFiles } from './steady-files.ts';

/** All that a life-cycle command may change on a machine. */
export interface NodePicture {
  readonly service: string;
  readonly registration: string | undefined;
  /** The version the running agent says it is. */
  readonly version: string | undefined;
  readonly connected: boolean;
  readonly guardIsGone: boolean;
  readonly isUnfinished: boolean;
  readonly files: Tree;
}

const GUARD_SERVICE = 'fenestra-guard';
const PATIENCE_MS = 60_000;
const LOOK_MS = 100;
const Service = z.object({ state: z.string(), pid: z.int().optional() });

/** Takes a picture of a node once it has come to rest, or as it is when it does not. */
export async function lookAtNode(node: EdgeNode): Promise<NodePicture> {
  const { machine } = node;
  const guardIsGone = await comesTrue(async () => (await registrationOf(machine, GUARD_SERVICE)) === undefined);
  const { state, pid } = await serviceOf(node);
  const connected = state === 'running' && (await isConnected(node, pid));
  return {
    service: state,
    registration: await registrationOf(machine, AGENT_SERVICE),
    version: connected ? (await node.status())?.version : undefined,
    connected,
    guardIsGone,
    isUnfinished: isUnfinished(await newestJournal(machine)),
    files: await filesOf(node),
  };
}

/** Whether the agent is connected, or will be soon; the process, if given, has to be this one. */
export async function isConnected(node: EdgeNode, pid?: number): Promise<boolean> {
  return comesTrue(async () => {
    const status = await node.status();
    return status?.connected === true && (pid === undefined || status.pid === pid);
  });
}

/** Looks until the condition holds, or patience ends. */
export async function comesTrue(condition: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    // What is being replaced at this very moment cannot be read; it can be a moment later.
    if (await condition().catch(() => false)) return true;
    if (Date.now() > deadline) return false;
    await sleep(LOOK_MS);
  }
}

async function serviceOf({ machine }: EdgeNode): Promise<z.infer<typeof Service>> {
  const { stdout } = await machine.keadm(['service', 'status', '--output', 'json']);
  return Service.parse(JSON.parse(stdout));
}

async function filesOf({ machine }: EdgeNode): Promise<Tree> {
  const { configFolder, stateFolder, programFolder, bookkeeping } = machine.paths;
  const files: [string, string][] = [];
  for (const folder of [configFolder, stateFolder, programFolder, bookkeeping]) {
    const tree = steadyFiles(await treeOf(machine.node.hostPath(folder)));
    for (const [path, text] of Object.entries(tree)) files.push([`${folder}: ${path}`, text]);
  }
  return Object.fromEntries(files);
}

/** A running agent replaces files at any moment, also between being listed and being read. */
async function treeOf(folder: string): Promise<Tree> {
  if (!existsSync(folder)) return {};
  return pictureOf(folder).catch(async () => pictureOf(folder));
}
