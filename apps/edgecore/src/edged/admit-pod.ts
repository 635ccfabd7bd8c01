import type { JsonObject } from '@fenestra/kernel';
import { admitPod, type Pod, type PressureCondition, type Rejection, unsupportedFields } from '@fenestra/pods';
import type { NodeMemory } from '../meta/node-memory.ts';
import type { PodSources } from './pod-sources.ts';
import { allocatableOf } from './pod-references.ts';

/** Decides whether a pod that is new to this node may run on it; `undefined` if it may. */
export type Admission = (pod: Pod, accepted: readonly Pod[]) => Rejection | undefined;

/** What admission depends on besides the pods. */
export interface AdmissionOptions {
  readonly memory: Pick<NodeMemory, 'get'>;
  readonly sources: PodSources;
  readonly nodeName: string;
  readonly os: 'linux' | 'windows';
  /** The conditions of the node that keep pods away. */
  readonly pressures: () => ReadonlySet<PressureCondition>;
}

const NODES = { group: '', version: 'v1', plural: 'nodes' };

/** Refuses pods that do not fit, and pods with fields that this node would have to ignore. */
export function podAdmission({ memory, sources, nodeName, os, pressures }: AdmissionOptions): Admission {
  return (pod, accepted) => {
    const object = sources.find(pod);
    if (object === undefined) return undefined;
    const node = memory.get(NODES, '', nodeName);
    const refusal = unsupported(object, os);
    // A node that has never reached the cloud does not know its labels and taints yet.
    if (refusal !== undefined || node === undefined) return refusal;
    return admitPod(pod, {
      os,
      podObject: object,
      node,
      accepted,
      ...UNLIMITED,
      allocatable: allocatableOf(node),
      memoryPressure: pressures().has('MemoryPressure'),
      diskPressure: pressures().has('DiskPressure'),
    });
  };
}

function unsupported(object: JsonObject, os: 'linux' | 'windows'): Rejection | undefined {
  const fields = unsupportedFields(object, os);
  if (fields.length === 0) return undefined;
  return { reason: 'UnsupportedField', message: fields.map(({ message }) => message).join(' ') };
}

/** What does not restrict pods on this node. */
const UNLIMITED = {
  allowedSysctls: [],
  hasAppArmor: false,
  shuttingDown: false,
  isRunning: false,
};
