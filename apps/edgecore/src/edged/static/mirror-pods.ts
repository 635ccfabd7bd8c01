import {
  GROUPS,
  isMirrorPod,
  type Message,
  newMessage,
  objectResource,
  OPERATIONS,
  RESOURCE_TYPES,
  SOURCES,
} from '@fenestra/contracts';
import { type JsonObject, stringAt } from '@fenestra/kernel';
import { isStaticPod, type MirrorAction, mirrorUid, planMirrors, type Pod } from '@fenestra/pods';
import type { Logger } from '@fenestra/platform';
import type { HubLink } from '../../hub/hub-link.ts';
import { type CloudAnswer, isNotFound } from '../../meta/cloud-answer.ts';
import type { NodeMemory } from '../../meta/node-memory.ts';
import { failureFields } from '../../modules/describe-failure.ts';
import { createAlarm } from '../../modules/waiting.ts';
import type { StaticPods } from './static-pods.ts';

/** What keeping mirror pods takes. */
export interface MirrorPodsOptions {
  readonly hub: HubLink;
  readonly memory: Pick<NodeMemory, 'changes' | 'get' | 'isOpen' | 'list' | 'query' | 'request'>;
  readonly nodeName: string;
  readonly files: StaticPods;
  /** The pods that run or still end. */
  readonly running: () => readonly Pod[];
  /** The mirror of this pod is new in the cloud. */
  readonly onMirror: (uid: string) => void;
  readonly log: Logger;
}

const PODS = { group: '', version: 'v1', plural: 'pods' };
const NODES = { group: '', version: 'v1', plural: 'nodes' };
const ANSWER_TIMEOUT_MS = 10_000;
/** Changes wake the keeper; this often it looks without one, and tries again what the cloud refused. */
const LOOK_MS = 10_000;
const ALREADY_EXISTS = 409;

/** The uid under which the cloud knows a pod: that of its mirror, for a static pod. */
export function uidInCloud(memory: Pick<NodeMemory, 'get' | 'isOpen'>, pod: Pod): string | undefined {
  const { uid, namespace, name } = pod.metadata;
  if (!isStaticPod(pod)) return uid;
  return memory.isOpen ? mirrorUid(memory.get(PODS, namespace, name), pod) : undefined;
}

/** Shows the static pods of this node in the cloud whenever there is a connection. */
export class MirrorPods {
  readonly #options: MirrorPodsOptions;
  readonly #alarm = createAlarm();
  /** By the uid of the static pod, the uid of its mirror. */
  #shown: ReadonlyMap<string, string> = new Map();
  /** What the log says already. */
  readonly #reported = new Set<string>();

  constructor(options: MirrorPodsOptions) {
    this.#options = options;
  }

  /** The static pods have changed. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Works until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { hub, memory, log } = this.#options;
    const unsubscribe = [
      hub.onConnected(this.#alarm.ring),
      memory.changes.subscribe(({ kind, object, previous }) => {
        const isMirror = kind.plural === PODS.plural && [object, previous].some((pod) => pod && isMirrorPod(pod));
        if (kind.group === '' && (isMirror || kind.plural === NODES.plural)) this.#alarm.ring();
      }),
    ];
    while (!signal.aborted) {
      try {
        if (hub.connected && memory.isOpen) await this.#round(signal);
      } catch (cause) {
        if (!signal.aborted) log.debug('Cannot bring the mirror pods up to date now', failureFields(cause));
      }
      await this.#alarm.wait(LOOK_MS, signal);
    }
    for (const stop of unsubscribe) stop();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { memory, nodeName, files, running } = this.#options;
    this.#noteMirrors();
    const uid = stringAt(memory.get(NODES, '', nodeName), 'metadata', 'uid');
    // Without every file, a mirror could be deleted whose pod runs; without its uid, a node cannot own a mirror.
    if (uid === '' || !files.isComplete) return;
    const mirrors = memory
      .list(PODS)
      .filter((pod) => isMirrorPod(pod) && stringAt(pod, 'spec', 'nodeName') === nodeName);
    const node = { name: nodeName, uid };
    for (const action of planMirrors({ node, wanted: files.pods, running: running(), mirrors })) {
      await this.#do(action, signal);
    }
  }

  #noteMirrors(): void {
    const { memory, running, onMirror } = this.#options;
    const shown = new Map<string, string>();
    for (const pod of running().filter(isStaticPod)) {
      const mirror = uidInCloud(memory, pod);
      if (mirror !== undefined) shown.set(pod.metadata.uid, mirror);
    }
    const fresh = [...shown].filter(([uid, mirror]) => this.#shown.get(uid) !== mirror);
    this.#shown = shown;
    for (const [uid] of fresh) onMirror(uid);
  }

  async #do({ kind, mirror }: MirrorAction, signal: AbortSignal): Promise<void> {
    const { memory } = this.#options;
    const answer = await memory.request(messageFor(kind, mirror), ANSWER_TIMEOUT_MS, signal);
    if (answer.outcome !== 'failure') return;
    if (kind === 'delete' && isNotFound(answer.status)) return;
    this.#report(kind, mirror, answer);
    // The cloud has one that this node does not know, for example after its database was lost.
    if (kind === 'create' && answer.status.code === ALREADY_EXISTS) await memory.query(resourceOf(mirror), signal);
  }

  #report(kind: MirrorAction['kind'], mirror: JsonObject, answer: CloudAnswer & { outcome: 'failure' }): void {
    const pod = `${stringAt(mirror, 'metadata', 'namespace')}/${stringAt(mirror, 'metadata', 'name')}`;
    const reason = answer.status.message ?? 'the cloud gave no reason';
    const key = JSON.stringify([kind, pod, reason]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#options.log.warn('The cloud refused a change of the mirror of a static pod', { pod, change: kind, reason });
  }
}

function messageFor(kind: MirrorAction['kind'], mirror: JsonObject): Message {
  const route = { source: SOURCES.edged, group: GROUPS.meta, resource: resourceOf(mirror) };
  if (kind === 'create') return newMessage({ ...route, operation: OPERATIONS.insert, content: mirror });
  const preconditions = { uid: stringAt(mirror, 'metadata', 'uid') };
  return newMessage({ ...route, operation: OPERATIONS.delete, content: { gracePeriodSeconds: 0, preconditions } });
}

function resourceOf(mirror: JsonObject): string {
  const [namespace, name] = [stringAt(mirror, 'metadata', 'namespace'), stringAt(mirror, 'metadata', 'name')];
  return objectResource(namespace, RESOURCE_TYPES.pod, name);
}
