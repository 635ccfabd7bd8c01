import type { PressureCondition } from '@fenestra/pods';

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
  readonly edged: EdgedState;
  /** The conditions that were reported last. */
  readonly previous: readonly NodeCondition[];
  readonly now: Date;
}

/** The conditions a kubelet reports, in its words. */
export function nodeConditions({ edged, previous, now }: ConditionInput): readonly NodeCondition[] {
  const observed: readonly Observed[] = [
    pressure('MemoryPressure', edged),
    pressure('DiskPressure', edged),
    pressure('PIDPressure', edged),
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
  PIDPressure: {
    True: ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
    False: ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  },
} as const;

function pressure(type: PressureCondition, { pressures }: EdgedState): Observed {
  const status = pressures.has(type) ? 'True' : 'False';
  const [reason, message] = PRESSURES[type][status];
  return { type, status, reason, message };
}

function withTimes(observed: Observed, previous: readonly NodeCondition[], time: string): NodeCondition {
  const before = previous.find(({ type }) => type === observed.type);
  const since = before?.status === observed.status ? before.lastTransitionTime : time;
  const { type, status, reason, message } = observed;
  return { type, status, lastHeartbeatTime: time, lastTransitionTime: since, reason, message };
}

function secondsOf(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** What the module that runs pods knows of the node: whether pods can run, in the words of condition `Ready`, and more. */
export interface EdgedState {
  readonly ready: boolean;
  readonly reason: string;
  readonly message: string;
  readonly pressures: ReadonlySet<PressureCondition>;
  readonly images: readonly NodeImage[];
}

/** An image that is on the node. */
export interface NodeImage {
  readonly names: readonly string[];
  readonly sizeBytes: number;
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
  const nothing = { ready: false, pressures: new Set<never>(), images: [] };
  if (!isEnabled) {
    const message = 'this node runs no pods: "modules.edged.enable" is false in its configuration';
    return { ...nothing, reason: 'EdgedDisabled', message };
  }
  return { ...nothing, reason: 'EdgedStarting', message: 'the module that runs pods has not started yet' };
}
