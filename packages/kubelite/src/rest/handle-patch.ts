import { parseDraft } from '../objects/draft.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { methodNotAllowed, notFound, StatusError, unsupportedMediaType } from '../objects/status-error.ts';
import { sendWritten } from './answer.ts';
import { applied, type Apply } from './applied.ts';
import { type Exchange, keyOf } from './exchange.ts';
import { checkFields, inNamespace, writeOptionsOf } from './handle-create.ts';
import { APPLY_TYPE, patched, patchTypesOf } from './patched.ts';
import { contentTypeOf, parseText, readObject, readText } from './read-body.ts';

/** `PATCH` of an object or of its status, in any of the four ways. */
export async function handlePatch(exchange: Exchange): Promise<void> {
  const { kind, path, request, api } = exchange;
  if (path.name === '') throw methodNotAllowed();
  const type = contentTypeOf(request);
  if (!patchTypesOf(kind).includes(type)) throw unsupportedMediaType(patchTypesOf(kind));
  if (type === APPLY_TYPE) return handleApply(exchange);
  const patch = parseText(await readText(request), 'json');
  const change = (current: KubeObject) => {
    const draft = patched(kind, current, type, patch);
    checkFields(exchange, draft);
    return draft;
  };
  sendWritten(exchange, 200, await api.objects.update(kind, keyOf(exchange), change, writeOptionsOf(exchange)));
}

async function handleApply(exchange: Exchange): Promise<void> {
  const { api, kind, path } = exchange;
  const apply = await readApply(exchange);
  const change = (current: KubeObject | undefined) => {
    if (!current && path.subresource !== '') throw notFound(kind, path.name);
    return applied(apply, current);
  };
  const options = { ...writeOptionsOf(exchange), ownership: 'given' } as const;
  const { object, created } = await api.objects.upsert(kind, keyOf(exchange), change, options);
  sendWritten(exchange, created ? 201 : 200, object);
}

async function readApply(exchange: Exchange): Promise<Apply> {
  const { kind, path, query, request, api } = exchange;
  const manager = query.get('fieldManager') ?? '';
  if (manager === '') throw managerRequired();
  const draft = inNamespace(exchange, parseDraft(parseText(await readText(request), 'yaml'), kind));
  checkFields(exchange, draft);
  const configuration = { ...draft, metadata: { ...draft.metadata, name: draft.metadata.name ?? path.name } };
  const force = query.get('force') === 'true';
  return { kind, configuration, manager, force, subresource: path.subresource, now: api.now() };
}

function managerRequired(): StatusError {
  const message = 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch';
  return new StatusError(422, 'Invalid', message, { group: 'meta.k8s.io', kind: 'PatchOptions' });
}

/** `PUT` of an object or of its status. */
export async function handleUpdate(exchange: Exchange): Promise<void> {
  const { api, kind, path, request } = exchange;
  if (path.name === '') throw methodNotAllowed();
  const draft = inNamespace(exchange, parseDraft(await readObject(request, api.protobuf), kind));
  checkFields(exchange, draft);
  const updated = await api.objects.update(kind, keyOf(exchange), () => draft, writeOptionsOf(exchange));
  sendWritten(exchange, 200, updated);
}
