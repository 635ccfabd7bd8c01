import type { Machine } from './machine.ts';
import type { NodeSettings } from './node-settings.ts';
import { parseThreshold } from '@fenestra/contracts/objects';

/** One condition of a node. Times are RFC 3339 with whole seconds. */
export type NodeCondition = {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
};

/** A condition as it was observed, before it is compared with what it was. */
type Observed = Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>;

/** What conditions are made from. */
export interface ConditionInput {
  readonly machine: Machine;
  readonly settings: NodeSettings;
  readonly edged: EdgedState;
  readonly pressures: PressureMemory;
  /** The conditions that were reported last. */
  readonly previous: readonly NodeCondition[];
  readonly now: Date;
}

/** The conditions a kubelet reports, in its words. */
export function nodeConditions(input: ConditionInput): readonly NodeCondition[] {
  const { machine, settings, edged, previous, now } = input;
  const { facts, disk, freeMemoryBytes } = machine;
  const { evictionHard } = settings;
  const lacksMemory = freeMemoryBytes < parseThreshold(evictionHard['memory.available'], facts.totalMemoryBytes);
  const lacksDisk = disk.freeBytes < parseThreshold(evictionHard['nodefs.available'], disk.totalBytes);
  const observed: readonly Observed[] = [
    pressure('MemoryPressure', input.pressures('memory', lacksMemory, now)),
    pressure('DiskPressure', input.pressures('disk', lacksDisk, now)),
    NO_PID_PRESSURE,
    { type: 'Ready', status: edged.ready ? 'True' : 'False', reason: edged.reason, message: edged.message },
  ];
  return observed.map((condition) => withTimes(condition, previous, secondsOf(now)));
}

/** Reason and message of a pressure, in the words of a kubelet. */
const PRESSURES = {
  MemoryPressure: {
    True: ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
    False: ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  },
  DiskPressure: {
    True: ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
    False: ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  },
} as const;

function pressure(type: keyof typeof PRESSURES, isHigh: boolean): Observed {
  const status = isHigh ? 'True' : 'False';
  const [reason, message] = PRESSURES[type][status];
  return { type, status, reason, message };
}

/** Upstream configures no threshold for process ids, so there is none to fall below. */
const NO_PID_PRESSURE: Observed = {
  type: 'PIDPressure',
  status: 'False',
  reason: 'KubeletHasSufficientPID',
  message: 'kubelet has sufficient PID available',
};

function withTimes(observed: Observed, previous: readonly NodeCondition[], time: string): NodeCondition {
  const before = previous.find(({ type }) => type === observed.type);
  const since = before?.status === observed.status ? before.lastTransitionTime : time;
  const { type, status, reason, message } = observed;
  return { type, status, lastHeartbeatTime: time, lastTransitionTime: since, reason, message };
}

function secondsOf(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Whether pods can run on this node, in the words of condition `Ready`. */
export interface EdgedState {
  readonly ready: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The latest state of the module that runs pods, from that module to the one that reports the node. */
export interface EdgedStates {
  /** `undefined` while that module does not run. */
  present(): EdgedState | undefined;
  change(state: EdgedState | undefined): void;
  subscribe(listener: () => void): () => void;
}

/** Makes a holder without a state. */
export function edgedStates(): EdgedStates {
  const listeners = new Set<() => void>();
  let present: EdgedState | undefined;
  return {
    present: () => present,
    change(state) {
      present = state;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What an agent reports that does not run pods. */
export function withoutEdged(isEnabled: boolean): EdgedState {
  if (!isEnabled) {
    const message = 'this node runs no pods: "modules.edged.enable" is false in its configuration';
    return { ready: false, reason: 'EdgedDisabled', message };
  }
  const message = 'the module that runs pods has not started yet';
  return { ready: false, reason: 'EdgedStarting', message };
}

/** Says whether a pressure is to be reported, given whether it is there right now. */
type PressureMemory = (type: string, isHigh: boolean, now: Date) => boolean;

/** Remembers pressures: one that is over is reported for a while longer, so that nothing flaps. */
export function rememberPressures(transitionMs: number): PressureMemory {
  const lastSeen = new Map<string, number>();
  return (type, isHigh, now) => {
    const time = now.getTime();
    if (isHigh) lastSeen.set(type, time);
    const seen = lastSeen.get(type);
    return seen !== undefined && time - seen < Math.max(transitionMs, 1);
  };
}
