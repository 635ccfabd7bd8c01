import { expect, test, vi } from 'vitest';
import { throwIfAborted, untilFired, type RemoteHost, type RemoteHosts } from '@fenestra/platform';
import { openApproach } from './approach.ts';
import { localHosts } from './testing/local-hosts.ts';
import { testNode } from './testing/test-node.ts';

const { signal } = new AbortController();
const local = localHosts({ shell: ['sh', '-c'], env: {} });
const node = testNode(local.target, ['join']);

/** Hosts whose logins come to their end when they are told to, or when nobody waits for them. */
function slowHosts() {
  const close = vi.fn(async () => undefined);
  const login = Promise.withResolvers<void>();
  const asked: AbortSignal[] = [];
  const hosts: RemoteHosts = {
    async connect(to, until): Promise<RemoteHost> {
      asked.push(until);
      await Promise.race([login.promise, untilFired(until)]);
      throwIfAborted('connecting', until);
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

test.each(['before', 'while'])('a login that was begun ends with whoever stops waiting for it: %s', async (moment) => {
  const { hosts, asked } = slowHosts();
  const approach = openApproach(hosts);
  approach.begin([node]);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const controller = new AbortController();
  if (moment === 'before') controller.abort();
  const arriving = approach.arrive(node, controller.signal);
  controller.abort();
  await expect(arriving).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(asked[0]?.aborted).toBe(true);
});

test('a login that takes too long is told as one that took too long', async () => {
  const { hosts } = slowHosts();
  const approach = openApproach(hosts);
  approach.begin([node]);
  await expect(approach.arrive(node, AbortSignal.timeout(1))).rejects.toMatchObject({ code: 'TIMED_OUT' });
});

test('what nobody has waited for is ended, or closed if it is there', async () => {
  const { hosts, login, asked, close } = slowHosts();
  const [coming, there] = [openApproach(hosts), openApproach(hosts)];
  coming.begin([node]);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await coming.end();
  expect(asked[0]?.aborted).toBe(true);
  expect(close).not.toHaveBeenCalled();
  there.begin([node]);
  login.resolve();
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await new Promise((resolve) => setImmediate(resolve));
  await there.end();
  expect(close).toHaveBeenCalledOnce();
});
