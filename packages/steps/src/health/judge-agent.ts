import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentStatus, AGENT_STATUS_FILE } from '@fenestra/contracts';
import { type ErrorCode, fileError, systemCodeOf } from '@fenestra/kernel';
import type { ServiceStatus } from '@fenestra/platform';

/** What can be seen of an agent at one moment. */
export interface AgentSight {
  readonly service: ServiceStatus;
  readonly agent: AgentStatus | undefined;
  /** The process that was there when the proof began; another one means that the first has ended. */
  readonly firstPid: number | undefined;
  readonly wants: AgentGoal;
  /** The pods that ran under the agent before, which have to run again. */
  readonly podsBefore: readonly string[];
}

/**
 * How well an agent has to be. What it was before it has to be again: ready, or at least connected. Only where it was
 * cut off from its cloud anyway, running is enough.
 */
export type AgentGoal = 'running' | 'connected' | 'ready';

/** How an agent is: well, not yet, or never without someone's help. */
export type AgentVerdict =
  | { readonly state: 'healthy' }
  | { readonly state: 'waiting'; readonly reason: string; readonly hint?: string }
  /** `code`: what the failure is called if it is not the agent's own. */
  | { readonly state: 'hopeless'; readonly reason: string; readonly hint?: string; readonly code?: ErrorCode };

/** What waiting does not fix: the cloud or the token would have to change. */
const HOPELESS_CODES: readonly string[] = [
  'TOKEN_INVALID',
  'CERTIFICATE_REJECTED',
  'HUB_UNTRUSTED',
  'CLOCK_WRONG',
  'CERTIFICATE_INVALID',
];

/** Judges an agent of ours by its service and by what it says of itself. */
export function judgeAgent(sight: AgentSight): AgentVerdict {
  return judgeService(sight) ?? judgeConnection(sight) ?? judgeNode(sight) ?? judgePods(sight) ?? { state: 'healthy' };
}

/**
 * Judges the service alone: all that can be seen of a program that says nothing about itself. One that has ended by
 * itself is `SERVICE_FAILED`, as it is when its start is what notices it.
 */
export function judgeService({
  service,
  firstPid,
}: Pick<AgentSight, 'service' | 'firstPid'>): Exclude<AgentVerdict, { state: 'healthy' }> | undefined {
  const { state, pid, exitCode } = service;
  if (state === 'starting') return { state: 'waiting', reason: 'waiting for the service to run' };
  if (state !== 'running') {
    const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
    const reason = `its service is ${state}${code}`;
    return { state: 'hopeless', reason, ...(state === 'absent' ? {} : { code: 'SERVICE_FAILED' }) };
  }
  if (firstPid === undefined || pid === firstPid) return undefined;
  return { state: 'hopeless', reason: 'its process ended and was started again', code: 'SERVICE_FAILED' };
}

function judgeConnection({ service, agent, wants }: AgentSight): AgentVerdict | undefined {
  // A status of another process was left behind by one that was killed.
  if (agent === undefined || agent.pid !== service.pid) {
    return { state: 'waiting', reason: 'waiting for the agent to report its status' };
  }
  if (agent.connected === true || wants === 'running') return undefined;
  const { problem } = agent;
  if (problem === undefined) return { state: 'waiting', reason: 'waiting for the connection to the cloud' };
  const hint = problem.hint === undefined ? {} : { hint: problem.hint };
  if (HOPELESS_CODES.includes(problem.code ?? '')) return { state: 'hopeless', reason: problem.message, ...hint };
  return { state: 'waiting', reason: `waiting for the connection to the cloud: ${problem.message}`, ...hint };
}

function judgeNode({ agent, wants }: AgentSight): AgentVerdict | undefined {
  if (wants === 'running') return undefined;
  const node = agent?.node;
  if (node?.registered !== true) return { state: 'waiting', reason: 'waiting for the cloud to take the node in' };
  if (wants === 'connected' || node.ready === 'True') return undefined;
  return { state: 'waiting', reason: `waiting for the node to be ready: ${node.reason ?? 'no reason reported'}` };
}

/** Names at most this many pods. */
const NAMED_PODS = 3;

/** A pod that was deleted in the meantime is not missed. */
function judgePods({ agent, podsBefore }: AgentSight): AgentVerdict | undefined {
  const reported = new Map(agent?.pods?.map((pod) => [pod.name, pod]));
  const missed = podsBefore.flatMap((name) => {
    const { state, reason = 'not running' } = reported.get(name) ?? { state: 'notRunning', reason: 'not reported' };
    return state === 'notRunning' ? [`${name} (${reason})`] : [];
  });
  if (missed.length === 0) return undefined;
  const more = missed.length > NAMED_PODS ? [`${missed.length - NAMED_PODS} more`] : [];
  const names = [...missed.slice(0, NAMED_PODS), ...more].join(', ');
  return { state: 'waiting', reason: `waiting for pods that ran before: ${names}` };
}

/** Reads what the agent last wrote about itself; `undefined` where there is nothing to read. Throws if it may not be read. */
export async function readAgentStatus(stateFolder: string): Promise<AgentStatus | undefined> {
  const text = await readFile(join(stateFolder, AGENT_STATUS_FILE), 'utf8').catch((cause: unknown) => {
    if (['EACCES', 'EPERM'].includes(systemCodeOf(cause)))
      throw fileError(cause, `read the status of the agent in "${stateFolder}"`);
    return undefined;
  });
  return text === undefined ? undefined : parseStatus(text);
}

/** An agent of another version may say more or less than we know of; then it has said nothing. */
function parseStatus(text: string): AgentStatus | undefined {
  try {
    return AgentStatus.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
