import type { ContainerRuntime } from '@fenestra/cri';
import {
  type Container,
  KUBELET_EVENTS,
  type LifecycleHandler,
  type Pod,
  probeAction,
  stopTimeoutSeconds,
} from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import { failureFields } from '../modules/describe-failure.ts';
import { pause } from '../modules/waiting.ts';
import type { PodEvents } from './events/event-recorder.ts';
import { httpGet } from './probes/http-get.ts';
import type { CommandRunner } from './probes/run-probe.ts';

/** An instance whose hooks run, with the address of its pod. */
export interface HookTarget {
  readonly id: string;
  readonly pod: Pod;
  readonly container: Container;
  readonly address: string;
}

/** Runs the hooks of containers. */
export interface Hooks {
  /** Runs the hook after the start to its end; throws if it fails. */
  postStart(target: HookTarget, signal: AbortSignal): Promise<void>;
  /** Stops an instance, after its hook before the stop if there is one to run, all within the grace period. */
  stop(id: string, graceSeconds: number, target: HookTarget | undefined, signal: AbortSignal): Promise<void>;
}

interface RunningHook {
  readonly ended: Promise<void>;
  readonly ending: AbortController;
}

/** Makes the hooks, which end with the signal. One that runs before a stop goes on when the stop is asked for again with a shorter grace period. */
export function hooks(
  runtime: CommandRunner & Pick<ContainerRuntime, 'stopContainer'>,
  { log, events }: { readonly log: Logger; readonly events: PodEvents },
  agent: AbortSignal,
): Hooks {
  const running = new Map<string, RunningHook>();

  function preStop(handler: LifecycleHandler, target: HookTarget): RunningHook {
    const before = running.get(target.id);
    if (before !== undefined) return before;
    const ending = new AbortController();
    const signal = AbortSignal.any([agent, ending.signal]);
    const ended = runHook(runtime, handler, target, signal).catch((cause: unknown) => {
      if (signal.aborted) return;
      const { pod, container } = target;
      log.warn('The preStop hook of a container failed', { container: container.name, ...failureFields(cause) });
      events.record(pod, KUBELET_EVENTS.preStopFailed(), container.name);
    });
    const hook = { ended, ending };
    running.set(target.id, hook);
    return hook;
  }

  return {
    async postStart(target, signal) {
      const handler = target.container.lifecycle?.postStart;
      if (handler) await runHook(runtime, handler, target, signal);
    },
    async stop(id, graceSeconds, target, signal) {
      const handler = target?.container.lifecycle?.preStop;
      const beganAt = performance.now();
      if (target && handler && graceSeconds > 0) await within(preStop(handler, target).ended, graceSeconds, signal);
      const spentSeconds = (performance.now() - beganAt) / 1000;
      await runtime.stopContainer(id, stopTimeoutSeconds(graceSeconds, spentSeconds), signal);
      running.get(id)?.ending.abort();
      running.delete(id);
    },
  };
}

/** Waits for the end of a hook as long as the grace period lasts. */
async function within(ended: Promise<void>, seconds: number, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  try {
    await Promise.race([ended, pause(seconds * 1000, AbortSignal.any([signal, waiting.signal]))]);
  } finally {
    waiting.abort();
  }
  signal.throwIfAborted();
}

async function runHook(
  runtime: CommandRunner,
  handler: LifecycleHandler,
  { id, container, address }: HookTarget,
  signal: AbortSignal,
): Promise<void> {
  const action = probeAction(container, handler, address);
  switch (action.kind) {
    case 'exec': {
      const { exitCode, stderr } = await runtime.execSync(id, action.command, NO_LIMIT, signal);
      if (exitCode === 0) return;
      const output = Buffer.from(stderr).subarray(0, OUTPUT_BYTES).toString('utf8').trim();
      throw new Error(`the command exited with ${exitCode}${output === '' ? '' : `: ${output}`}`);
    }
    case 'http':
      // Whatever it answers, the container was asked.
      await httpGet(action, signal);
      return;
    case 'sleep':
      await pause(action.seconds * 1000, signal);
      return;
    case 'invalid':
      throw new Error(action.message);
    case 'tcp':
    case 'grpc':
      throw new Error(`a hook of the kind "${action.kind}" cannot be run`);
  }
}

const NO_LIMIT = 0;
const OUTPUT_BYTES = 1024;
