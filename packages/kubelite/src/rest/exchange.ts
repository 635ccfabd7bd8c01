import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@fenestra/platform';
import type { ManagedObjectService } from '../objects/create-object-service.ts';
import type { Extensions } from '../objects/extensions.ts';
import type { User } from '../objects/gatekeeper.ts';
import type { KindRegistry } from '../objects/kind-registry.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { EventLines } from '../watch/event-lines.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import type { RequestFilter } from './list-query.ts';
import type { Negotiated } from './negotiate.ts';
import type { ProtobufReader } from './protobuf/decode-object.ts';
import type { ResourcePath } from './resource-path.ts';

/** What the REST server stands on. */
export interface Api {
  readonly store: ObjectStore;
  readonly hub: WatchHub;
  readonly lines: EventLines;
  readonly registry: KindRegistry;
  readonly objects: ManagedObjectService;
  readonly extensions: Extensions;
  readonly protobuf: ProtobufReader;
  readonly log: Logger;
  now(): Date;
}

/** One request about a resource, after its sender was known and allowed. */
export interface Exchange {
  readonly api: Api;
  readonly kind: ResourceKind;
  readonly path: ResourcePath;
  readonly query: URLSearchParams;
  /** Which objects a list, a watch or a deletion of a collection is about: the value that was authorized. */
  readonly filter: RequestFilter;
  readonly user: User;
  readonly accept: Negotiated;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
}

/** Where the object of the request is. */
export function keyOf({ path }: Exchange): { readonly namespace: string; readonly name: string } {
  return { namespace: path.namespace, name: path.name };
}
