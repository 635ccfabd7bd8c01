import { parseDraft } from '../objects/draft.ts';
import type { ObjectDraft } from '../objects/kube-object.ts';
import type { WriteOptions } from '../objects/object-service.ts';
import { badRequest, methodNotAllowed } from '../objects/status-error.ts';
import { sendValue, sendWritten } from './answer.ts';
import { addWarnings, type Exchange } from './exchange.ts';
import { readObject } from './read-body.ts';

/** `POST` to a collection. */
export async function handleCreate(exchange: Exchange): Promise<void> {
  const { api, kind, path } = exchange;
  if (path.name !== '') throw methodNotAllowed();
  const draft = inNamespace(exchange, parseDraft(await readObject(exchange.request, api.protobuf), kind));
  checkFields(exchange, draft);
  const options = writeOptionsOf(exchange);
  if (kind.answerCreate) {
    const context = { user: options.user, dryRun: options.dryRun, now: api.now(), objects: api.objects };
    return sendValue(exchange, 201, await kind.answerCreate(draft, context));
  }
  sendWritten(exchange, 201, await api.objects.create(kind, draft, options));
}

/** The draft in the namespace of the path. Throws 400 when it names another. */
export function inNamespace({ kind, path }: Exchange, draft: ObjectDraft): ObjectDraft {
  const { namespace = '', ...rest } = draft.metadata;
  if (!kind.namespaced) return { ...draft, metadata: rest };
  if (namespace !== '' && namespace !== path.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (path.namespace === '') throw badRequest('an empty namespace may not be set during creation');
  return { ...draft, metadata: { ...rest, namespace: path.namespace } };
}

const MAX_MANAGER = 128;

/** Who writes and how, from the request. Throws 400. */
export function writeOptionsOf(
  exchange: Exchange,
): WriteOptions & { readonly dryRun: boolean; readonly fieldManager: string } {
  const { user, query, path } = exchange;
  const options = { user, dryRun: isDryRun(query.getAll('dryRun')), fieldManager: fieldManagerOf(exchange) };
  return path.subresource === '' ? options : { ...options, subresource: path.subresource };
}

/** Whether `dryRun` asks for a dry run. `All` is the only one there is. */
export function isDryRun(values: readonly string[]): boolean {
  const unknown = values.find((value) => value !== 'All');
  if (unknown !== undefined) throw badRequest(`Invalid value: "${unknown}": dryRun must be "All"`);
  return values.length > 0;
}

/** With `fieldValidation=Strict`, a field no one knows is a 400; with `Warn`, a warning that kubectl prints. */
export function checkFields({ kind, query, response }: Exchange, draft: ObjectDraft): void {
  const mode = query.get('fieldValidation') ?? 'Warn';
  const unknown = mode === 'Ignore' ? [] : (kind.unknownFields?.(draft) ?? []);
  if (unknown.length === 0) return;
  const sentences = unknown.map((path) => `unknown field "${path}"`);
  if (mode === 'Strict') throw badRequest(`strict decoding error: ${sentences.join(', ')}`);
  addWarnings(response, sentences);
}

/** What the client calls itself; otherwise the first word of its `User-Agent`, as Kubernetes does. */
function fieldManagerOf({ query, request }: Exchange): string {
  const named = query.get('fieldManager');
  if (named !== null && named !== '') {
    if (named.length > MAX_MANAGER) throw badRequest(`fieldManager must be at most ${MAX_MANAGER} characters long`);
    return named;
  }
  const [program = ''] = (request.headers['user-agent'] ?? '').split('/');
  return program.slice(0, MAX_MANAGER) || 'unknown';
}
