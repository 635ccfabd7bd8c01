import { isMirrorPod } from '@fenestra/contracts';
import { objectAt, stringAt } from '@fenestra/kernel';
import { isStaticPod, type Pod, SOURCE_ANNOTATION } from '@fenestra/pods';
import { isKubeObject, type KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import type { StaticPods } from './static/static-pods.ts';

/** Where the pods of this node are defined: in the cloud and in files of this node. */
export interface PodSources {
  /** What this node is to run. Mirror pods only show static ones and are not among it. */
  list(): readonly KubeObject[];
  /** The definition of a pod as JSON. */
  find(pod: Pod): KubeObject | undefined;
  /** Whether every static pod is known; pods of the cloud may be on their way. */
  readonly isComplete: boolean;
}

const PODS = { group: '', version: 'v1', plural: 'pods' };

/** Joins the sources. */
export function podSources(memory: Pick<NodeMemory, 'get' | 'list'>, files: StaticPods, nodeName: string): PodSources {
  const isOurs = (object: KubeObject): boolean =>
    stringAt(object, 'spec', 'nodeName') === nodeName && !isMirrorPod(object);
  return {
    list: () => [...memory.list(PODS).filter(isOurs).map(fromCloud), ...files.pods.filter(isKubeObject)],
    find(pod) {
      const { namespace, name, uid } = pod.metadata;
      if (!isStaticPod(pod)) return memory.get(PODS, namespace, name);
      return files.pods.filter(isKubeObject).find(({ metadata }) => metadata['uid'] === uid);
    },
    get isComplete() {
      return files.isComplete;
    },
  };
}

/** Only a file of this node makes a pod static, whatever the pod says of itself: static pods are treated better. */
function fromCloud(object: KubeObject): KubeObject {
  const annotations = objectAt(object, 'metadata', 'annotations');
  if (!(SOURCE_ANNOTATION in annotations)) return object;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [SOURCE_ANNOTATION]: 'api' } } };
}
