import { contentJson, type Message, parseResource, type KindNames, STORED_KINDS } from '@fenestra/contracts';
import { isKubeObject, type KubeObject } from './kube-object.ts';
import { kindOf } from './kinds.ts';
import { type Edition, editionOf } from './precedence.ts';

/** Where something from the cloud belongs: under a wire resource string, and as an object if its kind is known. */
export interface Place {
  readonly key: string;
  readonly type: string;
  readonly kind?: KindNames | undefined;
  /** Empty for the cluster. */
  readonly namespace: string;
  /** Empty where the resource string names no single object. */
  readonly name: string;
}

/** A message about one object, read for storing. */
export interface Incoming {
  readonly place: Place;
  /** Absent where the content is no Kubernetes object: nothing at all, a list, a text. */
  readonly object?: KubeObject | undefined;
  readonly edition: Edition;
}

/** Reads what a message says about which object. */
export function readIncoming(message: Message): Incoming {
  const content = contentJson(message);
  const object = isKubeObject(content) ? content : undefined;
  const edition = editionOf(object, message.header.resourceVersion);
  return { place: placeOf(message.route.resource, object), object, edition };
}

/** Where the object under a resource string belongs. Its kind is read from the object, if given, else from the string. */
export function placeOf(key: string, object?: KubeObject): Place {
  const resource = parseResource(key);
  if (resource.form !== 'object') return { key, type: key.split('/').at(1) ?? '', namespace: '', name: '' };
  const { type, namespace, name = '' } = resource;
  const kind = object === undefined ? STORED_KINDS.get(type) : kindOf(type, object);
  // Some cluster-wide kinds travel under a namespace.
  return { key, type, kind, namespace: kind?.namespaced === false ? '' : (namespace ?? ''), name };
}
