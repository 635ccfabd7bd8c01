import { createHash } from 'node:crypto';
import { MIRROR_ANNOTATION, podReferences } from '@fenestra/contracts';
import { podSpecDefaults } from '@fenestra/contracts/objects';
import { canonicalJson, isJsonObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '@fenestra/kernel';
import { readPod } from '../pod/read-pod.ts';

/** Where a static pod comes from. */
export interface StaticPodSource {
  readonly nodeName: string;
  /** The path of the file. */
  readonly file: string;
  /** When the file was read, in milliseconds since 1970. */
  readonly seenAt: number;
}

/** The pod of a file as JSON, or what is wrong with the file. */
export type StaticPodReading = { readonly pod: JsonObject } | { readonly problems: readonly string[] };

const HASH_ANNOTATION = 'kubernetes.io/config.hash';

/** Turns what a file says into a pod of this node: with a name, an identity and the defaults of the API server. */
export function staticPod(content: Json, source: StaticPodSource): StaticPodReading {
  if (!isJsonObject(content)) return { problems: ['the file does not hold a pod'] };
  const problems = contentProblems(content);
  if (problems.length > 0) return { problems };
  const pod = withIdentity(content, source);
  const read = readPod(pod);
  return 'problems' in read ? read : { pod };
}

/** The pod that shows a static pod in the API. It is made again when its annotation differs. */
export function mirrorPod(pod: JsonObject, node: { readonly name: string; readonly uid: string }): JsonObject {
  const { uid: _, ...metadata } = objectAt(pod, 'metadata');
  const annotations = objectAt(metadata, 'annotations');
  const owner = { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid, controller: true };
  return {
    ...pod,
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      annotations: { ...annotations, [MIRROR_ANNOTATION]: stringAt(annotations, HASH_ANNOTATION) },
      ownerReferences: [owner],
    },
  };
}

/** Whether a mirror pod still shows this static pod. */
export function isMirrorOf(mirror: JsonObject, pod: JsonObject): boolean {
  const hash = stringAt(pod, 'metadata', 'annotations', HASH_ANNOTATION);
  return (
    stringAt(mirror, 'metadata', 'annotations', MIRROR_ANNOTATION) === hash &&
    objectAt(mirror, 'metadata')['deletionTimestamp'] === undefined
  );
}

function contentProblems(content: JsonObject): readonly string[] {
  const references = podReferences(content).map(
    ({ kind, name }) => `a static pod cannot refer to the ${kind} "${name}"`,
  );
  return [
    ...(stringAt(content, 'kind') === 'Pod' ? [] : ['the kind is not "Pod"']),
    ...(stringAt(content, 'metadata', 'name') === '' ? ['the pod has no name'] : []),
    ...references,
  ];
}

function withIdentity(content: JsonObject, { nodeName, file, seenAt }: StaticPodSource): JsonObject {
  const given = objectAt(content, 'metadata');
  const spec = objectAt(content, 'spec');
  const uid = createHash('md5')
    .update(canonicalJson([content, nodeName, file]))
    .digest('hex');
  const annotations = {
    ...objectAt(given, 'annotations'),
    [HASH_ANNOTATION]: uid,
    'kubernetes.io/config.seen': new Date(seenAt).toISOString(),
    'kubernetes.io/config.source': 'file',
  };
  // A static pod stays where its file is.
  const tolerations = [...listAt(spec, 'tolerations'), { operator: 'Exists', effect: 'NoExecute' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...given,
      name: `${stringAt(given, 'name')}-${nodeName.toLowerCase()}`,
      namespace: stringAt(given, 'namespace') || 'default',
      uid,
      annotations,
    },
    spec: podSpecDefaults({ ...spec, nodeName, tolerations }),
  };
}
