import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { keadmHere, runHere } from './run-here.ts';

const Token = z.looseObject({ token: z.string() });
const Status = z.looseObject({
  state: z.string(),
  pid: z.number().optional(),
  agent: z.looseObject({ version: z.string(), connected: z.boolean() }).optional(),
});

const PAUSE_MS = 1_000;

/** Makes this machine a cloud, which nodes on it can join. Again is fine. */
export async function cloudHere(keadm: string): Promise<string> {
  await keadmHere(keadm, ['init', '--embedded', '--advertise-address', '127.0.0.1']);
  return Token.parse(await keadmHere(keadm, ['gettoken'])).token;
}

/** How the node's service is, as keadm says it. */
export async function serviceHere(keadm: string): Promise<z.infer<typeof Status>> {
  return Status.parse(JSON.parse((await runHere(keadm, ['service', 'status', '--output', 'json'])).stdout));
}

/** Waits until the node runs that version, is connected, and is as `isWanted` says. */
export async function awaitNode(
  keadm: string,
  version: string,
  limitMs: number,
  isWanted: (pid: number | undefined) => boolean = () => true,
): Promise<void> {
  const end = Date.now() + limitMs;
  for (;;) {
    const { state, pid, agent } = await serviceHere(keadm);
    if (state === 'running' && agent?.connected === true && agent.version === version && isWanted(pid)) return;
    if (Date.now() > end) throw new Error(`The node is ${state}, with ${JSON.stringify(agent)}`);
    await delay(PAUSE_MS);
  }
}

/** Fails unless nothing of a node is left on this machine. */
export async function requireNoNode(): Promise<void> {
  const left = ['C:\\etc\\kubeedge\\config\\edgecore.yaml', 'C:\\etc\\kubeedge\\bin\\edgecore.exe'].filter(existsSync);
  assert.deepEqual(left, []);
  const { exitCode } = await runHere('reg', ['query', 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\edgecore']);
  assert.notEqual(exitCode, 0, 'the service "edgecore" is still there');
}
