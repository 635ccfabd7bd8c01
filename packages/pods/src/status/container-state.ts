import type { ObservedContainer } from '../observed.ts';
import type { ContainerState, ContainerStatus, Terminated } from '../pod/status-fields.ts';
import { apiTime } from './status-facts.ts';

/** The exit code of a program that was killed: reported where the real one is not known. */
const KILLED = 137;

/** The state of a container as the runtime reports it. */
export function observedState(
  instance: ObservedContainer,
  recorded: ContainerStatus | undefined,
  containerID: string,
): ContainerState | undefined {
  switch (instance.state) {
    case 'running':
      return { running: { startedAt: apiTime(instance.startedAt ?? instance.createdAt) } };
    case 'exited':
      return { terminated: exitedState(instance, containerID) };
    case 'unknown':
      return recorded?.state.running ? { terminated: unknownEnd(NOT_LOCATED) } : undefined;
    case 'created':
      return undefined;
  }
}

/** How an instance ended. */
export function exitedState(instance: ObservedContainer, containerID: string): Terminated {
  const { startedAt, finishedAt, exitCode = 0, reason, message } = instance;
  return {
    containerID,
    exitCode,
    ...(startedAt && { startedAt: apiTime(startedAt) }),
    ...(finishedAt && { finishedAt: apiTime(finishedAt) }),
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

/** The end of a container about which the runtime knows nothing any more. */
export function unknownEnd(message: string): Terminated {
  return { exitCode: KILLED, reason: 'ContainerStatusUnknown', message };
}

/** Said of a container that was running when it was seen last. */
export const VANISHED =
  'The container could not be located when the pod was deleted.  The container used to be Running';

/** Said of a container whose end was not seen. */
export const NOT_LOCATED = 'The container could not be located when the pod was terminated';
