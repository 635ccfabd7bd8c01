import type { JsonObject } from '@fenestra/kernel';
import type { Pod } from '../pod/pod.ts';
import { podProblemText, readPod } from '../pod/read-pod.ts';

/** A pod with one container, or with the given specification. */
export function samplePod(spec: JsonObject = {}, metadata: JsonObject = {}): Pod {
  const read = readPod({
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1', ...metadata },
    spec: { containers: [{ name: 'main', image: 'web:1' }], ...spec },
  });
  if ('problems' in read) throw new Error(read.problems.map(podProblemText).join('\n'));
  return read.pod;
}
