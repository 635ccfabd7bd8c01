import { createHash } from 'node:crypto';
import type { ExtensionContext, PlainAnswer, PlainRequest } from '../objects/extensions.ts';
import { apiVersionOf, type ResourceKind } from '../objects/resource-kind.ts';
import { crdKind } from '../crd/crd-kind.ts';
import type { Definitions } from '../kinds/schema/schema.ts';
import { allDefinitions } from './definitions.ts';
import { type DocumentedKind, encodeOpenApiV2, openApiV2 } from './openapi-v2.ts';
import { openApiV3 } from './openapi-v3.ts';
import { KUBERNETES_VERSION } from './groups.ts';

// kubectl up to 1.26 insists on the form with the "@", for `apply` and `explain`; later ones ask for the other.
const PROTOBUF = /application\/com\.github\.proto-openapi\.spec\.v2(@|\.)v1\.0\+protobuf/;

/** Answers `/openapi/v2` and `/openapi/v3`. Documents are made when asked for, and again after a kind has come or gone. */
export function createOpenApi(
  context: ExtensionContext,
  builtIn: Definitions,
): (path: string, request: PlainRequest) => PlainAnswer | undefined {
  let made: { readonly generation: number; readonly answers: Map<string, PlainAnswer> } | undefined;
  return (path, request) => {
    const generation = context.registry.generation();
    if (made?.generation !== generation) made = { generation, answers: new Map() };
    const form = path === '/openapi/v2' ? (PROTOBUF.exec(request.headers.accept ?? '')?.[0] ?? '') : '';
    const key = `${path} ${form}`;
    const answer = made.answers.get(key) ?? tagged(documentFor(path, form, context, builtIn));
    if (answer === undefined) return undefined;
    made.answers.set(key, answer);
    const unchanged = request.headers['if-none-match'] === answer.headers?.['etag'];
    return unchanged ? { ...answer, status: 304, body: '' } : answer;
  };
}

function documentFor(
  path: string,
  form: string,
  context: ExtensionContext,
  builtIn: Definitions,
): PlainAnswer | undefined {
  const kinds = context.registry.all();
  if (path === '/openapi/v3') return json(JSON.stringify({ paths: groupPaths(kinds, context.registry.generation()) }));
  const definitions = allDefinitions(builtIn, context.registry, context.objects.list(crdKind));
  if (path === '/openapi/v2') {
    const document = openApiV2(kinds.map(documented), definitions, KUBERNETES_VERSION);
    return form === ''
      ? json(JSON.stringify(document))
      : { status: 200, contentType: protobufType(form), body: encodeOpenApiV2(document) };
  }
  const wanted = kinds.filter((kind) => path === `/openapi/v3/${rootOf(kind)}`);
  if (wanted.length === 0) return undefined;
  return json(openApiV3(wanted.map(documented), definitions, KUBERNETES_VERSION));
}

/** The older name is not a valid media type, and the clients that ask by it stumble over an answer that has it. */
function protobufType(form: string): string {
  return form.includes('@') ? 'application/octet-stream' : form;
}

function groupPaths(kinds: readonly ResourceKind[], generation: number): Record<string, { serverRelativeURL: string }> {
  const roots = [...new Set(kinds.map(rootOf))];
  return Object.fromEntries(
    roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${generation}` }]),
  );
}

function rootOf(kind: ResourceKind): string {
  return `${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}`;
}

function documented(kind: ResourceKind): DocumentedKind {
  const where = kind.namespaced ? 'namespaces/{namespace}/' : '';
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    path: `/${rootOf(kind)}/${where}${kind.plural}/{name}`,
  };
}

function json(body: string): PlainAnswer {
  return { status: 200, contentType: 'application/json', body };
}

function tagged(answer: PlainAnswer | undefined): PlainAnswer | undefined {
  if (answer === undefined) return undefined;
  const etag = `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 32)}"`;
  return { ...answer, headers: { etag, vary: 'Accept' } };
}
