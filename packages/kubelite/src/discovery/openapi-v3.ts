import type { JsonObject } from '../objects/json.ts';
import type { Definitions, Schema } from '../kinds/schema/schema.ts';
import { definitionName } from './definitions.ts';
import { patchOperation, type DocumentedKind, type Operation } from './openapi-v2.ts';

/** The OpenAPI 3 document of one group and version: its kinds, and every schema they lead to. */
export interface OpenApiV3 {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Builds the document as text, since references are spelled in another way than in version 2. */
export function openApiV3(kinds: readonly DocumentedKind[], definitions: Definitions, version: string): string {
  const document: OpenApiV3 = {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths: Object.fromEntries(kinds.map((kind) => [kind.path, pathItem(kind)])),
    components: {
      schemas: closure(
        kinds.map((kind) => definitionName(kind)),
        definitions,
      ),
    },
  };
  return JSON.stringify(document).replaceAll('"#/definitions/', '"#/components/schemas/');
}

function pathItem(kind: DocumentedKind): Record<string, unknown> {
  const patch = patchOperation(kind);
  const schema = { $ref: `#/definitions/${definitionName(kind)}` };
  const answer = { '200': { description: 'OK', content: { 'application/json': { schema } } } };
  return {
    get: { responses: answer, ...identity(patch, 'get') },
    patch: { responses: answer, ...identity(patch, 'patch'), parameters: parameters(patch) },
  };
}

function identity(patch: Operation, action: string): JsonObject {
  const { group, version, kind } = patch['x-kubernetes-group-version-kind'];
  return { 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': { group, version, kind } };
}

function parameters(patch: Operation): readonly JsonObject[] {
  return patch.parameters.map(({ name, type }) => ({ name, in: 'query', schema: { type, uniqueItems: true } }));
}

/** The named schemas and all that they refer to, directly or not. */
function closure(names: readonly string[], definitions: Definitions): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = definitions.get(name);
    if (schema === undefined || found[name] !== undefined) continue;
    found[name] = schema;
    const references = JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g);
    open.push(...[...references].map(([, referred = '']) => referred));
  }
  return found;
}
