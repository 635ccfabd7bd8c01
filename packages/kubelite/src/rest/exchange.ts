import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Logger } from '@fenestra/platform';
import type { ManagedObjectService } from '../objects/create-object-service.ts';
import type { Extensions } from '../objects/extensions.ts';
import type { KindRegistry, PresentedCredentials, User } from '../objects/gatekeeper.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { StatusError } from '../objects/status-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { EventLines } from '../watch/event-lines.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import type { RequestFilter } from './handle-list.ts';
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

/** What a request came with. Throws 401 for a certificate that is not of our CA, or out of its time. */
export function credentialsOf(request: IncomingMessage, now: Date): PresentedCredentials {
  const clientCertificate = certificateOf(request, now);
  const bearerToken = tokenOf(request.headers.authorization);
  return { ...(clientCertificate && { clientCertificate }), ...(bearerToken !== undefined && { bearerToken }) };
}

function certificateOf({ socket }: IncomingMessage, now: Date): X509Certificate | undefined {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!certificate) return;
  // The handshake has checked the chain; a connection may outlive its certificate.
  if (socket instanceof TLSSocket && socket.authorized && certificate.validToDate > now) return certificate;
  throw unauthorized();
}

function tokenOf(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(/\s+/, 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** 401: no one we know. */
export function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized');
}

const MAX_WARNINGS = 20;
// Node's own client refuses headers over 16 kB in all.
const MAX_CHARACTERS = 256;

/** Adds warnings to an answer, as kubectl prints them. Only the first twenty fit. */
export function addWarnings(response: ServerResponse, texts: readonly string[]): void {
  const present = response.getHeader('Warning');
  const before = Array.isArray(present) ? present : [];
  const added = texts.map((text) => `299 - "${quotable(text.slice(0, MAX_CHARACTERS))}"`);
  const all = [...new Set([...before, ...added])].slice(0, MAX_WARNINGS);
  if (all.length > 0) response.setHeader('Warning', all);
}

/** Text that a quoted part of a header can hold. */
function quotable(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, String.raw`\$&`);
}
