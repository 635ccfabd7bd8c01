import { expect, test, vi } from 'vitest';
import type { RemoteHost, RemoteHosts } from '@fenestra/platform';
import { openApproach } from './approach.ts';
import { localHosts } from './testing/local-hosts.ts';
import { testNode } from './testing/test-node.ts';

const { signal } = new AbortController();
const local = localHosts({ shell: ['sh', '-c'], env: {} });
const node = testNode(local.target, ['join']);

/** Hosts whose logins end when they are told to. */
function slowHosts() {
  const close = vi.fn(async () => undefined);
  const login = Promise.withResolvers<void>();
  const asked: AbortSignal[] = [];
  const hosts: RemoteHosts = {
    async connect(to, until): Promise<RemoteHost> {
      asked.push(until);
      await login.promise;
      return { ...(await local.connect(to, until)), close };
    },
  };
  return { hosts, close, login, asked };
}

test('a login that was begun is the one that is waited for, once', async () => {
  const { hosts, login, asked } = slowHosts();
  const approach = openApproach(hosts);
  approach.begin([node]);
  login.resolve();
  await approach.arrive(node, signal);
  expect(asked).toHaveLength(1);
  await approach.arrive(node, signal);
  expect(asked).toHaveLength(2);
});

test('a login that fails is told to whoever waits for it, and the next try is a new one', async () => {
  const { hosts, login, asked } = slowHosts();
  const approach = openApproach(hosts);
  approach.begin([node]);
  login.reject(new Error('refused'));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(approach.arrive(node, signal)).rejects.toThrow('refused');
  await expect(approach.arrive(node, signal)).rejects.toThrow('refused');
  expect(asked).toHaveLength(2);
});

test('who stops waiting is told so at once, and the connection is closed when it comes', async () => {
  const { hosts, login, close } = slowHosts();
  const approach = openApproach(hosts);
  approach.begin([node]);
  const controller = new AbortController();
  const arriving = approach.arrive(node, controller.signal);
  controller.abort();
  await expect(arriving).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(close).not.toHaveBeenCalled();
  login.resolve();
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test('what nobody has waited for is ended and closed', async () => {
  const { hosts, login, asked, close } = slowHosts();
  const approach = openApproach(hosts);
  approach.begin([node]);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const end = approach.end();
  expect(asked[0]?.aborted).toBe(true);
  login.resolve();
  await end;
  expect(close).toHaveBeenCalledOnce();
});
