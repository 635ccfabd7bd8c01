import { stringAt } from '@fenestra/kernel';
import { type Pod, podProblemText, readPod } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import type { KubeObject } from '../meta/kube-object.ts';

/** What the objects of this node ask for. */
export interface PodsRead {
  readonly pods: readonly Pod[];
  /** The uids of the pods that may run here. */
  readonly wanted: ReadonlySet<string>;
}

/**
 * Makes a reader of pods. One whose definition cannot be read is not started, but what runs of it is kept until it is
 * deleted: another version of the agent may have accepted it.
 */
export function podReader(log: Pick<Logger, 'error'>): (objects: readonly KubeObject[]) => PodsRead {
  const reported = new Set<string>();
  return (objects) => {
    const pods: Pod[] = [];
    const wanted = new Set<string>();
    for (const object of objects) {
      const reading = readPod(object);
      const uid = stringAt(object, 'metadata', 'uid');
      if ('pod' in reading) pods.push(reading.pod);
      if ('pod' in reading || object.metadata['deletionTimestamp'] === undefined) wanted.add(uid);
      if ('pod' in reading || reported.has(uid)) continue;
      reported.add(uid);
      log.error('Cannot run a pod: its definition is invalid', {
        pod: `${stringAt(object, 'metadata', 'namespace')}/${object.metadata.name}`,
        problems: reading.problems.map(podProblemText).join('; '),
      });
    }
    return { pods, wanted };
  };
}
