import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import { contentJson, type Message, OPERATIONS, readObjectAnswer, RESOURCE_TYPES } from '@fenestra/contracts';
import type { ObjectChange } from './change-feed.ts';
import { type Incoming, placeOf, readIncoming } from './incoming.ts';
import { knownKinds } from './kinds.ts';
import { isJsonObject, isKubeObject } from './kube-object.ts';
import { mergePatch } from './merge-patch.ts';
import { isOlder } from './precedence.ts';
import type { MetaStore } from './store/meta-store.ts';
import {
  asStored,
  deleteStored,
  readStored,
  seenEdition,
  type StoredObject,
  writeRaw,
  writeStored,
} from './stored-object.ts';

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
        return remove(store, readIncoming(message));
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
  const isKept = isKeptType(placeOf(route.resource).type);
  if (!isKept || readObjectAnswer(content).outcome === 'failure') return [];
  const wrapped = isJsonObject(content) && !isKubeObject(content) ? content['Object'] : content;
  const unwrapped = { ...message, content: wrapped ?? null };
  return put(store, unwrapped, readIncoming(unwrapped));
}

/** A lease is renewed every few seconds and means nothing offline; answers to patches come under the patch's name. */
function isKeptType(type: string): boolean {
  return type !== RESOURCE_TYPES.lease && knownKinds().has(type);
}

function remove(store: MetaStore, { place, edition }: Incoming): readonly ObjectChange[] {
  const stored = readStored(store, place);
  const seen = seenEdition(store, place, stored);
  const meansAnother = edition.uid !== undefined && seen?.uid !== undefined && edition.uid !== seen.uid;
  // A repair names the object it deletes by its uid alone.
  if (edition.resourceVersion === undefined && meansAnother) return [];
  if (isOlder(edition, seen)) return [];
  deleteStored(store, stored?.place ?? place);
  store.putDeletion(place.key, edition.resourceVersion === undefined && seen !== undefined ? seen : edition);
  const { kind, namespace, name } = stored?.place ?? place;
  if (stored === undefined || kind === undefined) return [];
  return [{ type: 'DELETED', kind, namespace, name, object: stored.object, previous: stored.object }];
}

function patch(store: MetaStore, message: Message): readonly ObjectChange[] {
  const { place, edition } = readIncoming(message);
  const stored = readStored(store, place);
  if (stored === undefined) throw nothingToPatch(message);
  const seen = seenEdition(store, stored.place, stored);
  const isKnown = seen?.resourceVersion === edition.resourceVersion && edition.resourceVersion !== undefined;
  if (isKnown || isOlder(edition, seen)) return [];
  const content = mergePatch(stored.object, contentJson(message));
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
