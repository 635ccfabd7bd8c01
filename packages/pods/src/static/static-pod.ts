import { createHash } from 'node:crypto';
import { MIRROR_ANNOTATION, podReferences } from '@fenestra/contracts';
import { objectsAt, podSpecDefaults } from '@fenestra/contracts/objects';
import { canonicalJson, isJsonObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '@fenestra/kernel';
import { SOURCE_ANNOTATION } from '../pod/pod.ts';
import { type PodProblem, readPod } from '../pod/read-pod.ts';

/** Where a static pod comes from. */
export interface StaticPodSource {
  readonly nodeName: string;
  /** The path of the file. */
  readonly file: string;
  /** When the file was read, in milliseconds since 1970. */
  readonly seenAt: number;
}

/** The pod of a file as JSON, or what is wrong with the file. */
export type StaticPodReading = { readonly pod: JsonObject } | { readonly problems: readonly PodProblem[] };

/** The annotation with the identity of a static pod, which its mirror pod repeats. */
export const HASH_ANNOTATION = 'kubernetes.io/config.hash';

/** Turns what a file says into a pod of this node: with a name, an identity and the defaults of the API server. */
export function staticPod(content: Json, source: StaticPodSource): StaticPodReading {
  if (!isJsonObject(content)) return { problems: [{ path: [], message: 'the file does not hold a pod' }] };
  const problems = contentProblems(content, source);
  if (problems.length > 0) return { problems };
  const pod = withIdentity(content, source);
  const read = readPod(pod);
  return 'problems' in read ? read : { pod };
}

function contentProblems(content: JsonObject, source: StaticPodSource): readonly PodProblem[] {
  if (stringAt(content, 'kind') !== 'Pod') return [{ path: ['kind'], message: 'the kind is not "Pod"' }];
  const references = podReferences(content).map(({ kind, name }) => ({
    path: ['spec'],
    message: `a static pod cannot refer to the ${kind} "${name}"`,
  }));
  return [...nameProblems(content, source), ...references];
}

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The rules of the API server, since names become those of folders and of the mirror pod. */
function nameProblems(content: JsonObject, source: StaticPodSource): readonly PodProblem[] {
  const name = stringAt(content, 'metadata', 'name');
  if (name === '') return [{ path: ['metadata'], message: 'the pod has no name' }];
  const isName = SUBDOMAIN.test(nameOnNode(name, source));
  const isNamespace = LABEL.test(namespaceOf(content));
  const spec = objectAt(content, 'spec');
  const containers = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
  const names = containers.map((container) => stringAt(container, 'name'));
  const wrong = names.find((each, index) => !LABEL.test(each) || names.indexOf(each) !== index);
  return [
    ...(isName ? [] : [{ path: ['metadata', 'name'], message: `"${name}" cannot be the name of a pod` }]),
    ...(isNamespace ? [] : [{ path: ['metadata', 'namespace'], message: 'this cannot be the name of a namespace' }]),
    ...(wrong === undefined
      ? []
      : [{ path: ['spec'], message: `"${wrong}" cannot be the name of a container, or two have it` }]),
  ];
}

function nameOnNode(name: string, { nodeName }: StaticPodSource): string {
  return `${name}-${nodeName.toLowerCase()}`;
}

function namespaceOf(content: JsonObject): string {
  return stringAt(content, 'metadata', 'namespace') || 'default';
}

/** Of the metadata only what an operator sets counts: a file may be what `kubectl get --output yaml` printed. */
function withIdentity(content: JsonObject, source: StaticPodSource): JsonObject {
  const { nodeName, file, seenAt } = source;
  const given = objectAt(content, 'metadata');
  const spec = objectAt(content, 'spec');
  const uid = createHash('md5')
    .update(canonicalJson([content, nodeName, file]))
    .digest('hex');
  const { [MIRROR_ANNOTATION]: _, ...annotations } = objectAt(given, 'annotations');
  // A static pod stays where its file is.
  const tolerations = [...listAt(spec, 'tolerations'), { operator: 'Exists', effect: 'NoExecute' }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: nameOnNode(stringAt(given, 'name'), source),
      namespace: namespaceOf(content),
      uid,
      ...(given['labels'] !== undefined && { labels: given['labels'] }),
      annotations: {
        ...annotations,
        [HASH_ANNOTATION]: uid,
        'kubernetes.io/config.seen': new Date(seenAt).toISOString(),
        [SOURCE_ANNOTATION]: 'file',
      },
    },
    spec: podSpecDefaults({ ...spec, nodeName, tolerations }),
  };
}
