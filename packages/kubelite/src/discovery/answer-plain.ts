import type { Definitions } from '../kinds/schema/schema.ts';
import type { ExtensionContext, PlainAnswer, PlainRequest } from '../objects/extensions.ts';
import type { JsonObject } from '../objects/json.ts';
import { groupList, oneGroup, resourceList, serverVersion } from './groups.ts';
import { createOpenApi } from './openapi.ts';

/** Answers what is about the API itself: what it serves, its schemas, its version, its health. */
export function createPlainAnswers(
  context: ExtensionContext,
  builtIn: Definitions,
): (request: PlainRequest) => PlainAnswer | undefined {
  const openApi = createOpenApi(context, builtIn);
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const path = request.path.replace(/(.)\/$/, '$1');
    if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return { status: 200, contentType: 'text/plain', body: 'ok' };
    if (path.startsWith('/openapi/')) return openApi(path, request);
    const body = path === '/version' ? serverVersion() : discoveryBody(path, context, request);
    return body && json(body);
  };
}

function discoveryBody(path: string, { registry }: ExtensionContext, request: PlainRequest): JsonObject | undefined {
  const kinds = registry.all();
  const [, root, first, second, ...rest] = path.split('/');
  if (rest.length > 0) return undefined;
  if (path === '/')
    return { paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'] };
  if (path === '/api') return coreVersions(request.headers.host ?? '');
  if (root === 'api' && second === undefined) return resourceList(kinds, '', first ?? '');
  if (path === '/apis') return groupList(kinds);
  if (root !== 'apis' || first === undefined) return undefined;
  return second === undefined ? oneGroup(kinds, first) : resourceList(kinds, first, second);
}

function coreVersions(serverAddress: string): JsonObject {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }];
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
}

function json(body: JsonObject): PlainAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(body) };
}
