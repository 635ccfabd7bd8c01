import { isJsonObject, type JsonObject, OperatorError, stringAt } from '@fenestra/kernel';
import { keepAccess } from './access.ts';
import { type ApiKind, isKubeObject, type KubeObject, type ObjectName, pathOf, withType } from './api-kind.ts';
import { startInformer } from './informer/informer.ts';
import { listAll } from './informer/watch-events.ts';
import type { KubeApi, Patch, PatchType } from './kube-api.ts';
import { type KubeApiSource, loadKubeConfig } from './kubeconfig.ts';
import { type Call, openTransport, type Transport } from './transport.ts';

/** Reads the credentials and returns the API; the server need not answer yet. Close it when done. */
export async function openKubeApi(source: KubeApiSource): Promise<KubeApi> {
  const config = await loadKubeConfig(source);
  const access = keepAccess(config);
  const { options } = await access.current();
  const server = new URL(config.getCurrentCluster()?.server ?? '');
  const life = new AbortController();
  return {
    ...kubeApi(openTransport(server, access, life.signal), life.signal),
    server: server.origin,
    caCertificate: options.ca === undefined ? undefined : String(options.ca),
    close() {
      life.abort(
        new OperatorError('INTERRUPTED', 'Cannot reach the Kubernetes API: it was closed', { hint: CLOSED_HINT }),
      );
      access.close();
    },
  };
}

const CLOSED_HINT = 'Start the program again.';
const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

function kubeApi(transport: Transport, life: AbortSignal): Omit<KubeApi, 'server' | 'caCertificate' | 'close'> {
  const ask = async (call: Call, signal: AbortSignal): Promise<JsonObject> =>
    readAnswer(call, await transport.request(call, signal));
  const askObject = async (call: Call, signal: AbortSignal): Promise<KubeObject> =>
    asObject(call, await ask(call, signal));
  const get = (kind: ApiKind, name: ObjectName, signal: AbortSignal) =>
    askObject({ action: doing('read', kind, name), method: 'GET', path: pathTo(kind, name) }, signal);
  return {
    get,
    async find(kind, name, signal) {
      try {
        return await get(kind, name, signal);
      } catch (error) {
        if (error instanceof OperatorError && error.code === 'API_NOT_FOUND') return undefined;
        throw error;
      }
    },
    list: (kind, selection, signal) => listAll(transport, kind, selection, signal),
    create: (kind, draft, signal) => askObject(createCall(kind, draft), signal),
    update: (kind, object, signal) => askObject(replaceCall(kind, object), signal),
    patch: (kind, name, patch, signal) => askObject(patchCall(kind, name, patch), signal),
    async delete(kind, name, options, signal) {
      const body = JSON.stringify({ ...options, apiVersion: 'v1', kind: 'DeleteOptions' });
      await ask({ action: doing('delete', kind, name), method: 'DELETE', path: pathTo(kind, name), body }, signal);
    },
    post(kind, name, subresource, body, signal) {
      const action = doing(`create the ${subresource} of`, kind, name);
      return ask({ action, method: 'POST', path: pathTo(kind, name, subresource), body: JSON.stringify(body) }, signal);
    },
    text: (path, signal) => transport.request({ action: `read "${path}"`, method: 'GET', path }, signal),
    informer: (kind, options, signal) => startInformer(transport, kind, options, AbortSignal.any([signal, life])),
  };
}

function createCall(kind: ApiKind, draft: JsonObject): Call {
  const namespace = stringAt(draft, 'metadata', 'namespace') || undefined;
  const name = stringAt(draft, 'metadata', 'name') || stringAt(draft, 'metadata', 'generateName');
  const body = JSON.stringify(withType(kind, draft));
  return { action: doing('create', kind, { name, namespace }), method: 'POST', path: pathOf(kind, namespace), body };
}

function replaceCall(kind: ApiKind, object: KubeObject): Call {
  const body = JSON.stringify(withType(kind, object));
  return {
    action: doing('replace', kind, object.metadata),
    method: 'PUT',
    path: pathTo(kind, object.metadata),
    body,
  };
}

function patchCall(kind: ApiKind, name: ObjectName, patch: Patch): Call {
  const { fieldManager, force, dryRun, subresource } = patch;
  return {
    action: doing('change', kind, name),
    method: 'PATCH',
    path: pathTo(kind, name, subresource),
    query: {
      ...(fieldManager === undefined ? {} : { fieldManager }),
      ...(force === true ? { force: 'true' } : {}),
      ...(dryRun === true ? { dryRun: 'All', fieldValidation: 'Strict' } : {}),
    },
    contentType: PATCH_TYPES[patch.type],
    body: typeof patch.body === 'string' ? patch.body : JSON.stringify(patch.body),
  };
}

function pathTo(kind: ApiKind, { namespace, name }: ObjectName, subresource?: string): string {
  return pathOf(kind, namespace, name, subresource);
}

function doing(verb: string, kind: ApiKind, { namespace, name }: ObjectName): string {
  return `${verb} ${kind.kind} "${namespace === undefined ? '' : `${namespace}/`}${name}"`;
}

function readAnswer(call: Call, body: string): JsonObject {
  const answer: unknown = JSON.parse(body);
  if (!isJsonObject(answer)) throw new Error(`Cannot ${call.action}: the answer is not an object`);
  return answer;
}

function asObject(call: Call, answer: JsonObject): KubeObject {
  if (!isKubeObject(answer)) throw new Error(`Cannot ${call.action}: the answer is not a Kubernetes object`);
  return answer;
}

/** The version a server says it is: `v1.33.1`, perhaps with a vendor's suffix. */
export async function readServerVersion(api: Pick<KubeApi, 'server' | 'text'>, signal: AbortSignal): Promise<string> {
  const version = stringAt(parse(await api.text('/version', signal)), 'gitVersion');
  if (version !== '') return version;
  throw new OperatorError('API_FAILED', `Cannot read the version of the Kubernetes API at "${api.server}"`, {
    hint: 'Check that the address leads to a Kubernetes API.',
  });
}

function parse(body: string): JsonObject {
  try {
    const answer: unknown = JSON.parse(body);
    return isJsonObject(answer) ? answer : {};
  } catch {
    return {};
  }
}
