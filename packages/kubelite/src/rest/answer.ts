import type { ServerResponse } from 'node:http';
import { dump } from 'js-yaml';
import type { Json, JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { StatusError } from '../objects/status-error.ts';
import { addWarnings, type Exchange } from './exchange.ts';
import { pacedWriter } from './paced-writer.ts';

const MAX_YAML_CHARACTERS = 1024 * 1024;

/** Sends JSON text. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  contentType = 'application/json',
): void {
  sendBytes(response, status, Buffer.from(text), { 'Content-Type': contentType, 'Cache-Control': 'no-cache, private' });
}

/** Sends a whole answer. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': body.length });
  const writer = pacedWriter(response);
  if (response.req.method !== 'HEAD') writer.push(body);
  writer.end();
}

/** Sends any value in the format the client asked for. */
export function sendValue({ response, accept }: Exchange, status: number, value: Json): void {
  if (accept.format === 'yaml') return sendText(response, status, yamlText(value), 'application/yaml');
  sendText(response, status, JSON.stringify(value));
}

/** JSON is YAML too, and takes far less time for a large value. */
function yamlText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MAX_YAML_CHARACTERS ? text : dump(value, { noRefs: true, lineWidth: -1 });
}

/** Sends one object in the shape the client asked for. */
export function sendObject(exchange: Exchange, status: number, object: KubeObject): void {
  sendValue(exchange, status, shapeObject(exchange, object, true));
}

/** Sends an object that was written, with what there is to warn its writer about. */
export function sendWritten(exchange: Exchange, status: number, object: KubeObject): void {
  const { kind, path, response } = exchange;
  if (path.subresource === '') addWarnings(response, kind.warnings?.(object) ?? []);
  sendObject(exchange, status, object);
}

/** An object whole, as its metadata alone, or as a table of one row. */
export function shapeObject(
  { accept, api, kind, query }: Exchange,
  object: KubeObject,
  withColumns: boolean,
): JsonObject {
  if (accept.shape === 'metadata') return metadataOnly(object);
  if (accept.shape !== 'table') return object;
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  return api.extensions.renderTable({
    kind,
    objects: [object],
    includeObject: includeObject(query),
    metadata,
    withColumns,
  });
}

/** The metadata alone, as clients that watch much and need little ask for it. */
export function metadataOnly({ metadata }: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/** How much of an object goes along with its row. */
export function includeObject(query: URLSearchParams): 'Metadata' | 'None' | 'Object' {
  const wanted = query.get('includeObject');
  return wanted === 'None' || wanted === 'Object' ? wanted : 'Metadata';
}

/** Sends a refusal as a Status. */
export function sendStatus(response: ServerResponse, error: StatusError): void {
  const retry = error.details?.retryAfterSeconds;
  if (retry !== undefined) response.setHeader('Retry-After', String(retry));
  sendText(response, error.code, JSON.stringify(error.toStatus()));
}

/** A `Status` that says yes. */
export function successStatus(details: JsonObject): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
