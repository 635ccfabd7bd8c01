import type { JsonObject } from '@fenestra/kernel';
import { admitPod, type Pod, type PressureCondition, type Rejection, unsupportedFields } from '@fenestra/pods';
import { type KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import { allocatableOf } from './pod-references.ts';

/** Decides whether a pod that is new to this node may run on it; `undefined` if it may. */
export type Admission = (pod: Pod, accepted: readonly Pod[]) => Rejection | undefined;

/** What admission depends on besides the pods. */
export interface AdmissionOptions {
  readonly memory: Pick<NodeMemory, 'get'>;
  readonly nodeName: string;
  readonly os: 'linux' | 'windows';
  /** The conditions of the node that keep pods away. */
  readonly pressures: () => ReadonlySet<PressureCondition>;
}

const PODS = { group: '', version: 'v1', plural: 'pods' };
const NODES = { group: '', version: 'v1', plural: 'nodes' };

/** Refuses pods that do not fit, and pods with fields that this node would have to ignore. */
export function podAdmission({ memory, nodeName, os, pressures }: AdmissionOptions): Admission {
  return (pod, accepted) => {
    const object: KubeObject | undefined = memory.get(PODS, pod.metadata.namespace, pod.metadata.name);
    const node = memory.get(NODES, '', nodeName);
    if (object === undefined || node === undefined) return undefined;
    return (
      unsupported(object, os) ??
      admitPod(pod, {
        os,
        podObject: object,
        node,
        accepted,
        ...UNLIMITED,
        allocatable: allocatableOf(node),
        memoryPressure: pressures().has('MemoryPressure'),
        diskPressure: pressures().has('DiskPressure'),
      })
    );
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
