import { randomInt, randomUUID } from 'node:crypto';
import { inVersionOf } from '../draft.ts';
import { without } from '../json.ts';
import type { KubeObject, ObjectDraft, ObjectMeta } from '../kube-object.ts';
import type { ResourceKind } from '../resource-kind.ts';
import { alreadyExists, badRequest, forbidden, invalid, notFound, StatusError } from '../status-error.ts';
import { contextOf, requireAllowed, store, storedRef, timestamp, withOwnership, type Write } from './environment.ts';

const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_GENERATED_BASE = 63 - SUFFIX_LENGTH;
const ATTEMPTS = 8;
const MAX_NAME = 253;

/** Stores a new object: named, dated, defaulted, checked. Throws 409 when the name is taken. */
export function createObject(write: Write, draft: ObjectDraft): KubeObject {
  const { kind } = write;
  const fresh: KubeObject = { ...draft, metadata: freshMeta(write, draft) };
  const { namespace = '', name } = fresh.metadata;
  requireNamespace(write, namespace);
  if (write.writer.get(storedRef(kind, { namespace, name }))) throw alreadyExists(kind, name);
  const defaulted = kind.defaults?.(fresh) ?? fresh;
  const prepared = kind.prepareForCreate?.(defaulted, contextOf(write)) ?? withoutStatus(kind, defaulted);
  const owned = withOwnership(write, prepared);
  requireAllowed(write, owned);
  return store(write, inVersionOf(owned, kind));
}

function freshMeta(write: Write, { metadata }: ObjectDraft): ObjectMeta {
  if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  const { deletionTimestamp: _when, deletionGracePeriodSeconds: _grace, selfLink: _link, ...rest } = metadata;
  const now = timestamp(write.environment.now());
  const name = nameFor(write, metadata);
  const fresh = { ...rest, name, uid: randomUUID(), resourceVersion: '', creationTimestamp: now };
  const { generation: _generation, ...plain } = fresh;
  return write.kind.hasGeneration ? { ...plain, generation: 1 } : plain;
}

function nameFor(write: Write, metadata: ObjectDraft['metadata']): string {
  const { name = '', generateName = '' } = metadata;
  if (name !== '') return requireName(write.kind, name);
  if (generateName === '') {
    const message = 'Required value: name or generateName is required';
    throw invalid(write.kind, '', [{ field: 'metadata.name', reason: 'FieldValueRequired', message }]);
  }
  requireName(write.kind, generateName);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const generated = generateName.slice(0, MAX_GENERATED_BASE) + randomSuffix();
    if (!write.writer.get(storedRef(write.kind, { namespace: metadata.namespace ?? '', name: generated })))
      return generated;
  }
  const message = `${write.kind.plural} "${generateName}" could not be given a free name, try again`;
  throw new StatusError(409, 'AlreadyExists', message, { retryAfterSeconds: 1 });
}

/** Only what a path can carry: the kinds say what else their names must be. */
function requireName(kind: ResourceKind, name: string): string {
  if (name.length <= MAX_NAME && !/[/%\0]/.test(name) && name !== '.' && name !== '..') return name;
  const message = `Invalid value: ${JSON.stringify(name.slice(0, MAX_NAME))}: must be a name of at most ${MAX_NAME} characters that a URL can hold`;
  throw invalid(kind, name.slice(0, MAX_NAME), [{ field: 'metadata.name', reason: 'FieldValueInvalid', message }]);
}

function randomSuffix(): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)]).join('');
}

function requireNamespace({ kind, writer }: Write, name: string): void {
  if (!kind.namespaced) return;
  const namespaces = { group: '', plural: 'namespaces' };
  const namespace = writer.get(storedRef(namespaces, { namespace: '', name }));
  if (!namespace) throw notFound(namespaces, name);
  if (namespace.metadata.deletionTimestamp !== undefined)
    throw forbidden(kind, '', `unable to create new content in namespace ${name} because it is being terminated`);
}

function withoutStatus(kind: ResourceKind, object: KubeObject): KubeObject {
  if (!kind.hasStatus) return object;
  const { apiVersion, kind: name, metadata } = object;
  return { ...without(object, 'status'), apiVersion, kind: name, metadata };
}
