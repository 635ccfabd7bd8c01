import { once } from 'node:events';
import { createConnection } from 'node:net';
import { GRPC_STATUS, hasStatus } from '@fenestra/cri';
import { checkHealth } from '@fenestra/cri/health';
import { systemCodeOf } from '@fenestra/kernel';
import { httpOutcome, PROBE_ATTEMPTS, type ProbeAction, type ProbeOutcome } from '@fenestra/pods';
import { withDeadline } from '../../modules/waiting.ts';
import { httpGet, type HttpAnswer } from './http-get.ts';

/** Runs commands in containers, as a container runtime does. */
export interface CommandRunner {
  execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
    signal: AbortSignal,
  ): Promise<{ readonly exitCode: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array }>;
}

/** What came of a run of a probe, with what there is to say about it. */
export interface ProbeResult {
  readonly outcome: ProbeOutcome;
  readonly output: string;
  /** The container serves, but not as it should. */
  readonly isWarning?: boolean;
}

/** What is probed: an instance of a container. */
export interface ProbeTarget {
  readonly id: string;
  readonly timeoutSeconds: number;
}

const OUTPUT_BYTES = 10 * 1024;
/** The runtime ends a command by itself when its time is up; if it does not, it says nothing about the container. */
const RUNTIME_MS = 5_000;

/** Runs a probe once; again, up to three times in all, if it could not be run. */
export async function runProbe(
  runtime: CommandRunner,
  action: ProbeAction,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  let result: ProbeResult = { outcome: 'error', output: '' };
  for (let attempt = 0; attempt < PROBE_ATTEMPTS && result.outcome === 'error'; attempt += 1) {
    signal.throwIfAborted();
    result = await runOnce(runtime, action, target, signal);
  }
  return result;
}

async function runOnce(
  runtime: CommandRunner,
  action: ProbeAction,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const limitMs = target.timeoutSeconds * 1000;
  switch (action.kind) {
    case 'exec':
      return runCommand(runtime, action.command, target, signal);
    case 'http':
      return ask(async (limit) => outcomeOf(await httpGet(action, limit)), limitMs, signal);
    case 'tcp':
      return ask(async (limit) => connectTo(action, limit), limitMs, signal);
    case 'grpc':
      return ask(async (limit) => checkService(action, limit), limitMs, signal);
    case 'sleep':
      return { outcome: 'error', output: 'a probe cannot sleep' };
    case 'invalid':
      return { outcome: 'error', output: action.message };
  }
}

const SUCCESS: ProbeResult = { outcome: 'success', output: '' };

async function runCommand(
  runtime: CommandRunner,
  command: readonly string[],
  { id, timeoutSeconds }: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const run = async (limit: AbortSignal) => runtime.execSync(id, command, timeoutSeconds, limit);
  const deadline = { limitMs: timeoutSeconds * 1000 + RUNTIME_MS, action: 'run the command of a probe' };
  try {
    const { exitCode, stdout, stderr } = await withDeadline(run, deadline, signal);
    const output = Buffer.concat([stdout, stderr]).subarray(0, OUTPUT_BYTES).toString('utf8');
    return { outcome: exitCode === 0 ? 'success' : 'failure', output };
  } catch (cause) {
    signal.throwIfAborted();
    const isTooLate = hasStatus(cause, GRPC_STATUS.DEADLINE_EXCEEDED);
    if (isTooLate) return { outcome: 'failure', output: `command timed out after ${timeoutSeconds} s` };
    return { outcome: 'error', output: textOf(cause) };
  }
}

const FIRST_REDIRECT = 300;

function outcomeOf({ status, body }: HttpAnswer): ProbeResult {
  const outcome = httpOutcome(status);
  if (outcome === 'success' && status >= FIRST_REDIRECT)
    return { outcome, output: `Probe terminated redirects, Response body: ${body}`, isWarning: true };
  return { outcome, output: outcome === 'success' ? body : `HTTP probe failed with statuscode: ${status}` };
}

async function connectTo({ host, port }: { host: string; port: number }, limit: AbortSignal): Promise<ProbeResult> {
  const socket = createConnection({ host, port });
  try {
    await once(socket, 'connect', { signal: limit });
    return SUCCESS;
  } finally {
    socket.destroy();
  }
}

async function checkService(
  { host, port, service }: Extract<ProbeAction, { kind: 'grpc' }>,
  limit: AbortSignal,
): Promise<ProbeResult> {
  const serves = await checkHealth({ host, port }, service, limit);
  return serves ? SUCCESS : { outcome: 'failure', output: 'service unhealthy' };
}

/** That no answer came, or none in time, is one as well: the container does not serve. */
async function ask(
  question: (limit: AbortSignal) => Promise<ProbeResult>,
  limitMs: number,
  signal: AbortSignal,
): Promise<ProbeResult> {
  try {
    return await withDeadline(question, { limitMs, action: 'get an answer from the container' }, signal);
  } catch (cause) {
    signal.throwIfAborted();
    // A definition that makes no request says nothing about the container.
    const isInvalid = systemCodeOf(cause).startsWith('ERR_INVALID_');
    return { outcome: isInvalid ? 'error' : 'failure', output: textOf(cause) };
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
