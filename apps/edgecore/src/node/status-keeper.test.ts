import { contentText, edgecoreDefaults, type Message } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { withoutEdged } from './node-conditions.ts';
import { nodeSettings } from './node-settings.ts';
import { nodeStatus } from './node-status.ts';
import { statusKeeper } from './status-keeper.ts';
import { LINUX_MACHINE } from './testing/machines.ts';

test('a status that was under way when the connection changed does not count as known to the new one', async () => {
  const settings = nodeSettings(edgecoreDefaults('linux', { hostName: 'n1', cloudAddress: '127.0.0.1' }));
  const now = new Date();
  const asked: Message[] = [];
  const status = nodeStatus({
    machine: LINUX_MACHINE,
    settings,
    edged: withoutEdged(true),
    previous: [],
    now,
    nodeName: 'n1',
    kubeletVersion: 'v1',
  });
  const keeper = statusKeeper({
    nodeName: 'n1',
    settings: { ...settings, register: false },
    log: silentLogger(),
    now: () => now,
    knownNode: () => undefined,
    read: async () => ({ machine: LINUX_MACHINE, status }),
    async ask(message) {
      asked.push(message);
      if (asked.length === 1) keeper.forget();
      return { outcome: 'done' };
    },
  });
  const { signal } = new AbortController();
  await keeper.report(signal);
  await keeper.report(signal);
  expect(asked).toHaveLength(2);
  expect(asked.map((message) => JSON.parse(contentText(message)))).toEqual([
    { status: expect.objectContaining({ nodeInfo: status.nodeInfo }) },
    { status: expect.objectContaining({ nodeInfo: status.nodeInfo }) },
  ]);
  await keeper.report(signal);
  expect(asked).toHaveLength(2);
});
