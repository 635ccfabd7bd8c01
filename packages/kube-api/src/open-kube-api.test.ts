import { OperatorError } from '@fenestra/kernel';
import { afterEach, expect, test } from 'vitest';
import { statusOf } from './api-errors.ts';
import { KINDS } from './api-kind.ts';
import { openKubeApi } from './open-kube-api.ts';
import { answerJson, kubeconfigFor, startTestApiServer, type Answer } from './testing/test-api-server.ts';

const { signal } = new AbortController();
const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function start(answer: Answer) {
  const server = await startTestApiServer(answer);
  const api = await openKubeApi({ kubeconfig: server.kubeconfig });
  cleanups.push(
    () => api.close(),
    () => server.close(),
  );
  return { server, api };
}

const failure = (code: number, reason: string) => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: `${reason}!`,
});
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof OperatorError ? error.code : error),
  );

test('an object arrives exactly as the server wrote it, with the credentials sent', async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', creationTimestamp: '2026-01-02T03:04:05Z' },
    x: null,
  };
  let authorization: string | undefined;
  const { api, server } = await start((request, response) => {
    authorization = request.headers.authorization;
    answerJson(response, 200, pod);
  });
  expect(await api.get(KINDS.pod, { namespace: 'default', name: 'a' }, signal)).toEqual(pod);
  expect(authorization).toBe('Bearer secret-token');
  expect(server.requests).toEqual(['GET /api/v1/namespaces/default/pods/a']);
});

test('many requests share few connections', async () => {
  const { api, server } = await start((_request, response) => answerJson(response, 200, { metadata: { name: 'n' } }));
  for (let index = 0; index < 20; index++) await api.get(KINDS.node, { name: 'n' }, signal);
  expect(server.accepted()).toBe(1);
});

test.each([
  [401, 'API_FORBIDDEN'],
  [403, 'API_FORBIDDEN'],
  [404, 'API_NOT_FOUND'],
  [409, 'API_CONFLICT'],
  [422, 'API_REFUSED'],
  [429, 'API_FAILED'],
  [503, 'API_FAILED'],
])('an answer of %i is %s and keeps the words of the server', async (status, code) => {
  const { api } = await start((_request, response) => answerJson(response, status, failure(status, 'Because')));
  const error: unknown = await api.get(KINDS.node, { name: 'n' }, signal).catch((reason: unknown) => reason);
  expect(await codeOf(Promise.reject(error))).toBe(code);
  expect(statusOf(error)).toMatchObject({ code: status, reason: 'Because', message: 'Because!', status: 'Failure' });
});

test('a full disk of the cloud is not waited for, but needs space', async () => {
  const { api } = await start((_request, response) => answerJson(response, 507, failure(507, 'InsufficientStorage')));
  await expect(api.get(KINDS.node, { name: 'n' }, signal)).rejects.toMatchObject({
    code: 'API_FAILED',
    hint: 'Free some space on the disk of the cloud, then try again.',
  });
});

test('find returns undefined for an object that is not there', async () => {
  const { api } = await start((_request, response) => answerJson(response, 404, failure(404, 'NotFound')));
  expect(await api.find(KINDS.node, { name: 'n' }, signal)).toBeUndefined();
});

test('a server that is away or of a foreign CA is unreachable, and counts as unavailable', async () => {
  const api = await openKubeApi({ kubeconfig: kubeconfigFor(1) });
  const error: unknown = await api.get(KINDS.node, { name: 'n' }, signal).catch((reason: unknown) => reason);
  expect(await codeOf(Promise.reject(error))).toBe('API_UNREACHABLE');
  expect(statusOf(error)).toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  api.close();
});

test('an aborted request rejects with the reason of the signal', async () => {
  const { api } = await start(() => {});
  const controller = new AbortController();
  const request = api.get(KINDS.node, { name: 'n' }, controller.signal);
  controller.abort(new Error('enough'));
  await expect(request).rejects.toThrow('enough');
});

test('closing ends requests under way', async () => {
  const { api } = await start(() => {});
  const request = api.get(KINDS.node, { name: 'n' }, signal);
  setTimeout(() => api.close(), 20);
  expect(await codeOf(request)).toBe('INTERRUPTED');
});

test('a list is fetched in pages and its items get their type back', async () => {
  const { api } = await start((request, response) => {
    const second = request.url?.includes('continue=more') === true;
    const metadata = { resourceVersion: '9', ...(second ? {} : { continue: 'more' }) };
    answerJson(response, 200, { metadata, items: [{ metadata: { name: second ? 'b' : 'a' } }] });
  });
  const nodes = await api.list(KINDS.node, { labelSelector: 'x=y' }, signal);
  expect(nodes.map((node) => [node.kind, node.metadata.name])).toEqual([
    ['Node', 'a'],
    ['Node', 'b'],
  ]);
});

test('patches, deletions and subresources are sent as Kubernetes wants them', async () => {
  const types: (string | undefined)[] = [];
  const { api, server } = await start((request, response) => {
    types.push(request.headers['content-type']);
    answerJson(response, 200, { metadata: { name: 'n' } });
  });
  await api.patch(KINDS.node, { name: 'n' }, { type: 'strategic', body: '{}', subresource: 'status' }, signal);
  await api.patch(KINDS.node, { name: 'n' }, { type: 'apply', body: {}, fieldManager: 'f', force: true }, signal);
  await api.patch(KINDS.node, { name: 'n' }, { type: 'merge', body: {}, dryRun: true }, signal);
  await api.delete(KINDS.lease, { namespace: 'l', name: 'n' }, {}, signal);
  await api.post(KINDS.serviceAccount, { namespace: 'd', name: 's' }, 'token', {}, signal);
  expect(types.slice(0, 2)).toEqual(['application/strategic-merge-patch+json', 'application/apply-patch+yaml']);
  expect(server.requests).toEqual([
    'PATCH /api/v1/nodes/n/status',
    'PATCH /api/v1/nodes/n?fieldManager=f&force=true',
    'PATCH /api/v1/nodes/n?dryRun=All&fieldValidation=Strict',
    'DELETE /apis/coordination.k8s.io/v1/namespaces/l/leases/n',
    'POST /api/v1/namespaces/d/serviceaccounts/s/token',
  ]);
});

test.each(['', 'users: [unclosed', '{"clusters": 5}', 'current-context: nowhere'])(
  'a kubeconfig that is none (%j) is refused without quoting it',
  async (kubeconfig) => {
    const error: unknown = await openKubeApi({ kubeconfig }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'KUBECONFIG_INVALID', cause: undefined });
  },
);
