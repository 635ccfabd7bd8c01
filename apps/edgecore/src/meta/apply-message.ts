import { isDeepStrictEqual } from 'node:util';
import { OperatorError, isJsonObject } from '@fenestra/kernel';
import {
  contentJson,
  type Message,
  objectResource,
  OPERATIONS,
  readObjectAnswer,
  RESOURCE_TYPES,
  STORED_KINDS,
} from '@fenestra/contracts';
import { applyMergePatch } from '@fenestra/contracts/objects';
import type { ObjectChange } from './change-feed.ts';
import {
  asStored,
  deleteStored,
  type Incoming,
  placeOf,
  readIncoming,
  readStored,
  seenEdition,
  type StoredObject,
  writeRaw,
  writeStored,
} from './stored-object.ts';
import { isKubeObject } from './kube-object.ts';
import { type Edition, isOlder, parseResourceVersion } from './precedence.ts';
import type { MetaStore } from './store/meta-store.ts';

/**
 * Stores what a message from the cloud says, in one transaction, and returns what changed by it.
 * Safe to run again in any order: a message older than what the node has seen changes nothing.
 */
export function applyMessage(store: MetaStore, message: Message): readonly ObjectChange[] {
  return store.transaction(() => {
    switch (message.route.operation) {
      case OPERATIONS.insert:
      case OPERATIONS.update:
        return put(store, message, readIncoming(message));
      case OPERATIONS.response:
        return putAnswer(store, message);
      case OPERATIONS.delete:
        return remove(store, message);
      case OPERATIONS.patch:
        return patch(store, message);
      default:
        throw unsupported(message);
    }
  });
}

function put(store: MetaStore, message: Message, incoming: Incoming): readonly ObjectChange[] {
  const { place, object, edition } = incoming;
  if (object === undefined) {
    if (message.content !== null) writeRaw(store, place, message);
    return [];
  }
  const stored = readStored(store, place);
  if (isOlder(edition, seenEdition(store, place, stored))) return [];
  const current = { place, object: asStored(place, object), edition };
  // What came twice is not written twice: flash memory wears out.
  if (isDeepStrictEqual(stored?.object, current.object)) return [];
  writeStored(store, current);
  store.forgetDeletion(place.key);
  return changeOf(stored, current);
}

/** Of an answer only an object is worth keeping: an `OK` or a failure must not replace what the node knows. */
function putAnswer(store: MetaStore, message: Message): readonly ObjectChange[] {
  const { content, route } = message;
  const resource = answeredResource(route.resource);
  if (resource === undefined || readObjectAnswer(content).outcome === 'failure') return [];
  const wrapped = isJsonObject(content) && !isKubeObject(content) ? content['Object'] : content;
  const unwrapped = { ...message, route: { ...route, resource }, content: wrapped ?? null };
  return put(store, unwrapped, readIncoming(unwrapped));
}

/** What the object in an answer is kept under, if at all: a lease is renewed every few seconds and means nothing offline. */
function answeredResource(resource: string): string | undefined {
  const { type, namespace, name } = placeOf(resource);
  const patched = PATCHED_TYPES.get(type);
  if (patched !== undefined) return objectResource(namespace || null, patched, name);
  return type !== RESOURCE_TYPES.lease && STORED_KINDS.has(type) ? resource : undefined;
}

/** The answer to a patch carries the object that was patched, but comes under the patch's name. */
const PATCHED_TYPES: ReadonlyMap<string, string> = new Map([
  [RESOURCE_TYPES.nodePatch, RESOURCE_TYPES.node],
  [RESOURCE_TYPES.podPatch, RESOURCE_TYPES.pod],
]);

function remove(store: MetaStore, message: Message): readonly ObjectChange[] {
  const { place, edition } = readIncoming(message);
  const stored = readStored(store, place);
  const seen = seenEdition(store, place, stored);
  if (isOutdatedDeletion(message, edition, seen)) return [];
  deleteStored(store, stored?.place ?? place);
  const isNewest = seen === undefined || (edition.resourceVersion !== undefined && !isOlder(edition, seen));
  store.putDeletion(place.key, isNewest ? edition : seen);
  const { kind, namespace, name } = stored?.place ?? place;
  if (stored === undefined || kind === undefined) return [];
  return [{ type: 'DELETED', kind, namespace, name, object: stored.object, previous: stored.object }];
}

/** A repair names the object it deletes by its uid alone: the cloud does not know which version the node has. */
function isOutdatedDeletion({ header }: Message, edition: Edition, seen: Edition | undefined): boolean {
  const meansAnother = edition.uid !== undefined && seen?.uid !== undefined && edition.uid !== seen.uid;
  const isVersioned = Boolean(parseResourceVersion(header.resourceVersion));
  if (!isVersioned && !meansAnother) return false;
  return (meansAnother && edition.resourceVersion === undefined) || isOlder(edition, seen);
}

function patch(store: MetaStore, message: Message): readonly ObjectChange[] {
  const { place, edition } = readIncoming(message);
  const stored = readStored(store, place);
  if (stored === undefined) throw nothingToPatch(message);
  const seen = seenEdition(store, stored.place, stored);
  const isKnown = seen?.resourceVersion === edition.resourceVersion && edition.resourceVersion !== undefined;
  if (isKnown || isOlder(edition, seen)) return [];
  const content = applyMergePatch(stored.object, contentJson(message));
  return put(store, message, readIncoming({ ...message, content }));
}

function changeOf(stored: StoredObject | undefined, { place, object }: StoredObject): readonly ObjectChange[] {
  const { kind, namespace, name } = place;
  if (kind === undefined || name === '') return [];
  const type = stored === undefined ? 'ADDED' : 'MODIFIED';
  return [{ type, kind, namespace, name, object, previous: stored?.object }];
}

function unsupported({ route }: Message): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot do "${route.operation}" with "${route.resource}" on this node`, {
    hint: 'Compare the versions of cloud and node.',
  });
}

function nothingToPatch({ route }: Message): OperatorError {
  return new OperatorError('MESSAGE_INVALID', `Cannot patch "${route.resource}": this node does not have it`, {
    hint: 'Send the whole object instead of a patch.',
  });
}
