import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_STATUS_FILE, AgentStatus } from '@fenestra/contracts';

const POLL_MS = 2;
const LIMIT_MS = 60_000;

/** What the agent below this folder says about itself right now. */
export function agentAt(root: string): AgentStatus | undefined {
  try {
    return AgentStatus.parse(JSON.parse(readFileSync(join(root, 'var/lib/kubeedge', AGENT_STATUS_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Waits until what the agent says is what is wanted; returns the time at which it was. */
export async function seen(root: string, wanted: (agent: AgentStatus | undefined) => boolean): Promise<number> {
  const deadline = performance.now() + LIMIT_MS;
  while (!wanted(agentAt(root))) {
    if (performance.now() > deadline) throw new Error('The agent did not get there in time');
    await sleep(POLL_MS);
  }
  return performance.now();
}

/** How long the node is away while `command`, its own process, puts another agent in the place of this one. */
export async function downtime(root: string, command: Promise<unknown>): Promise<number> {
  const before = agentAt(root)?.pid;
  const gone = await seen(root, (agent) => agent?.pid !== before || agent?.connected !== true);
  const back = await seen(root, (agent) => agent !== undefined && agent.pid !== before && agent.connected === true);
  await command;
  return back - gone;
}
