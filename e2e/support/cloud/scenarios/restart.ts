import { KINDS, stringAt } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { configMap, podOn } from '../manifests.ts';
import { PATIENCE, untilConnected } from '../patience.ts';
import type { Parts } from './parts.ts';

/** Restarts of either side lose nothing. */
export function restartCases(parts: Parts): void {
  const nameOf = (what: string): string => `${parts().node.name}-${what}`;
  const kept = async (): Promise<string> =>
    stringAt(await parts().node.object(KINDS.configMap, nameOf('kept')), 'data', 'text');

  test('a restarted agent has its objects and is back at the cloud', async () => {
    const { cloud, node } = parts();
    const pod = podOn(node.name, nameOf('keeper'), { configMaps: [nameOf('kept')] });
    await cloud.apply([configMap(nameOf('kept'), 'one'), pod]);
    await vi.waitFor(async () => expect(await kept()).toBe('one'), PATIENCE);
    const before = await node.status();
    await node.keadm('service', 'restart');
    await vi.waitFor(async () => expect(await kept()).toBe('one'), PATIENCE);
    await untilConnected(node);
    expect((await node.status())?.pid).not.toBe(before?.pid);
  });

  test('a restarted cloud gets its node back, and changes flow again', async () => {
    const { cloud, node } = parts();
    await cloud.keadm('cloud', 'restart');
    await vi.waitFor(async () => cloud.apply([configMap(nameOf('kept'), 'two')]), PATIENCE);
    await vi.waitFor(async () => expect(await kept()).toBe('two'), PATIENCE);
    await untilConnected(node);
  });
}
