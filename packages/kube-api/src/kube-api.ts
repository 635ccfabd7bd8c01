import type { JsonObject } from '@fenestra/kernel';
import type { ApiKind, KubeObject, ObjectName } from './api-kind.ts';
import type { Informer, InformerOptions } from './informer/informer.ts';

/** Which objects of a kind. Without a namespace, those of all namespaces. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The ways Kubernetes can be asked to change part of an object. */
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** A change to part of an object. A text body is sent as it is. `apply` needs a field manager. */
export interface Patch {
  readonly type: PatchType;
  readonly body: JsonObject | readonly JsonObject[] | string;
  readonly subresource?: string;
  readonly fieldManager?: string;
  /** With `apply`: takes fields that another manager has set. */
  readonly force?: boolean;
  /** The server checks everything, also for fields it does not know, and changes nothing. */
  readonly dryRun?: boolean;
}

/**
 * A Kubernetes API server. Failures are catalogue errors: `API_UNREACHABLE` (no one answered), `API_FORBIDDEN`,
 * `API_NOT_FOUND`, `API_CONFLICT` (exists already, or changed in the meantime), `API_REFUSED` (the request is wrong),
 * `API_FAILED` (the server cannot right now). `statusOf` tells the server's own words. Nothing is tried twice.
 */
export interface KubeApi {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM of the CA that signed the server's certificate; undefined where the system's CAs are trusted. */
  readonly caCertificate: string | undefined;
  get(kind: ApiKind, name: ObjectName, signal: AbortSignal): Promise<KubeObject>;
  /** Like `get`, but absence is a value. */
  find(kind: ApiKind, name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined>;
  /** Every object selected, fetched in pages. */
  list(kind: ApiKind, selection: Selection, signal: AbortSignal): Promise<readonly KubeObject[]>;
  /** Creates an object in its `metadata.namespace`. */
  create(kind: ApiKind, draft: JsonObject, signal: AbortSignal): Promise<KubeObject>;
  /** Replaces an object. With `metadata.resourceVersion` only if no one changed it since. */
  update(kind: ApiKind, object: KubeObject, signal: AbortSignal): Promise<KubeObject>;
  patch(kind: ApiKind, name: ObjectName, patch: Patch, signal: AbortSignal): Promise<KubeObject>;
  /** Deletes an object; `options` are Kubernetes' DeleteOptions. */
  delete(kind: ApiKind, name: ObjectName, options: JsonObject, signal: AbortSignal): Promise<void>;
  /** Posts to a subresource, such as `token` of a service account, and returns what it answers. */
  post(
    kind: ApiKind,
    name: ObjectName,
    subresource: string,
    body: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject>;
  /** The answer to `GET path`, such as `/readyz` or `/version`, as text. */
  text(path: string, signal: AbortSignal): Promise<string>;
  /** Follows all objects of a kind until the signal aborts. */
  informer<Kept>(kind: ApiKind, options: InformerOptions<Kept>, signal: AbortSignal): Informer<Kept>;
  /** Ends every request and watch and closes every connection. */
  close(): void;
}
