import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '@fenestra/platform';
import type { Identity } from '../identity/open-identity.ts';
import type { Gatekeeper, KindRegistry, User } from './gatekeeper.ts';
import type { JsonObject } from './json.ts';
import type { KubeObject } from './kube-object.ts';
import type { ObjectService } from './object-service.ts';
import type { ResourceKind, ResourceRef } from './resource-kind.ts';
import type { StatusError } from './status-error.ts';

/** What the generic server offers to everything that is not generic. */
export interface ExtensionContext {
  readonly registry: KindRegistry;
  readonly objects: ObjectService;
  readonly identity: Identity;
  /** A private folder for files of their own. */
  readonly folder: string;
  readonly log: Logger;
  now(): Date;
}

/**
 * Everything that is not generic: who may do what, discovery, tables, controllers.
 * `kinds/extensions.ts` exports `createExtensions(context: ExtensionContext): Extensions`, which adds the built-in kinds to the registry.
 */
export interface Extensions {
  readonly gatekeeper: Gatekeeper;
  /** Renders objects as a `meta.k8s.io/v1` Table. Called where `Accept` asks for `as=Table`, for lists, gets and watch events. */
  renderTable(request: TableRequest): JsonObject;
  /** Answers `/api`, `/apis/…`, `/openapi/…`, `/version` and whatever is not an object; undefined becomes 404. */
  answerPlain(request: PlainRequest): PlainAnswer | undefined | Promise<PlainAnswer | undefined>;
  /** Why a resource that Kubernetes has is not served; undefined becomes the usual 404. */
  explainMissing?(missing: ResourceRef & { readonly subresource: string }): StatusError | undefined;
  /** Starts what works on its own: namespaces, scheduler, signers, CRDs. Resolves once the API may be used; ends at abort. */
  start(signal: AbortSignal): Promise<void>;
}

/** Objects to show as a table. */
export interface TableRequest {
  readonly kind: ResourceKind;
  readonly objects: readonly KubeObject[];
  /** How much of each object goes along (`includeObject` of the query; `Metadata` unless given). */
  readonly includeObject: 'Metadata' | 'None' | 'Object';
  /** The list's metadata: resourceVersion, continue, remainingItemCount. */
  readonly metadata: JsonObject;
  /** Watch events after the first carry no column definitions. */
  readonly withColumns: boolean;
}

/** A request for something that is not an object, after authentication and authorization. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
}

/** What to answer to it. */
export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}
