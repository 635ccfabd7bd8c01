import type { X509Certificate } from 'node:crypto';
import type { FieldTerm } from '@fenestra/contracts/objects';
import type { KubeObject } from './kube-object.ts';
import type { ResourceKind } from './resource-kind.ts';

/** Someone the API knows. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a request came with. The certificate chains to the API's own CA and is in its time; any other is a 401 before this. */
export interface PresentedCredentials {
  readonly clientCertificate?: X509Certificate;
  readonly bearerToken?: string;
}

/** What someone wants to do to a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty where there is none. */
  readonly subresource: string;
  readonly namespace: string;
  /** In its path or, for lists and watches, as the only one that the field selector lets through. */
  readonly name: string;
  /** What a list or a watch is limited to: the same terms select the objects of the answer. */
  readonly fields: readonly FieldTerm[];
}

/** What someone wants to do to a path that is not a resource, such as `/openapi/v3`. */
export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** `true` is yes; a string is no, with a reason that follows the usual message (it may be empty). */
export type Decision = true | string;

/** A change about to be stored, for rules that need to see it: `previous` is absent on create, `object` on delete. */
export interface ObjectChange {
  readonly verb: 'create' | 'delete' | 'update';
  readonly kind: ResourceKind;
  readonly subresource: string;
  readonly object?: KubeObject;
  readonly previous?: KubeObject;
}

/** Decides who someone is and what they may do. Everything that comes in over HTTP passes it. */
export interface Gatekeeper {
  /** No one known is undefined, which becomes 401. Never logs or keeps the credentials. */
  authenticate(credentials: PresentedCredentials): Promise<User | undefined>;
  /** Asked before anything is read or written; no becomes 403. */
  authorize(user: User, access: ResourceAccess): Decision;
  /** The same for paths that are not resource. */
  authorizePath(user: User, access: PathAccess): Decision;
  /** Asked inside the write, with the objects at hand: a node may change only its own. No becomes 403. */
  admit(user: User, change: ObjectChange): Decision;
}

/** The resources the API serves now. Custom resources come and go while it runs. */
export interface KindRegistry {
  /** In the order they were added. */
  all(): readonly ResourceKind[];
  find(group: string, version: string, plural: string): ResourceKind | undefined;
  /** The first version of a resource whose objects have this `kind`. */
  findByKind(group: string, kind: string): ResourceKind | undefined;
  /** Adds or replaces one version of a resource. */
  add(kind: ResourceKind): void;
  /** Stops serving it and ends its watches. Its stored objects are the caller's to delete first. */
  remove(kind: { readonly group: string; readonly version: string; readonly plural: string }): void;
  /** Goes up with every change, so that discovery can cache what it made. */
  generation(): number;
  /** Calls back after each change. */
  onChange(callback: () => void): void;
}

/** An empty registry. */
export function createKindRegistry(): KindRegistry {
  const byPath = new Map<string, ResourceKind>();
  const callbacks: (() => void)[] = [];
  let generation = 0;
  const changed = () => {
    generation += 1;
    for (const callback of callbacks) callback();
  };
  return {
    all: () => [...byPath.values()],
    find: (group, version, plural) => byPath.get(pathOf({ group, version, plural })),
    findByKind: (group, kind) => [...byPath.values()].find((known) => known.group === group && known.kind === kind),
    add(kind) {
      byPath.set(pathOf(kind), kind);
      changed();
    },
    remove(kind) {
      if (byPath.delete(pathOf(kind))) changed();
    },
    generation: () => generation,
    onChange: (callback) => void callbacks.push(callback),
  };
}

function pathOf(kind: { readonly group: string; readonly version: string; readonly plural: string }): string {
  return `${kind.group}/${kind.version}/${kind.plural}`;
}
