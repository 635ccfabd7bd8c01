import { KINDS, stringAt } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { PATIENCE, unlimited } from '../patience.ts';
import type { Parts } from './parts.ts';

const LABELS = 'modules.edged.nodeLabels';

/** A reload takes up a good file without a restart, and leaves everything as it was with a bad one. */
export function reloadCases(parts: Parts): void {
  const siteInCloud = async (): Promise<string> => {
    const { cloud, node } = parts();
    return stringAt(await cloud.api.get(KINDS.node, { name: node.name }, unlimited()), 'metadata', 'labels', 'site');
  };

  test('a changed label is applied by the same process', async () => {
    const { node } = parts();
    const before = await node.status();
    await node.configure({ [LABELS]: { site: 'north' } });
    await node.keadm('service', 'reload');
    await vi.waitFor(async () => expect(await siteInCloud()).toBe('north'), PATIENCE);
    // The label may be in the cloud before the agent has written down that it is done.
    await vi.waitFor(async () => expect((await node.status())?.reloads).not.toBe(before?.reloads), PATIENCE);
    const after = await node.status();
    expect(after).toMatchObject({ pid: before?.pid, startedAt: before?.startedAt, connected: true });
    expect(after?.reloads).toBe((before?.reloads ?? 0) + 1);
  });

  test('a bad file is refused with its line, and the old configuration stays', async () => {
    const { node } = parts();
    const before = await node.status();
    const good = await node.readFile();
    await node.writeFile(good.replace('north', 'south').replace('hostnameOverride', 'hostnameOveride'));
    await node.keadm('service', 'reload');
    await vi.waitFor(async () => expect(await node.log()).toContain('hostnameOveride'), PATIENCE);
    const refusal = (await node.log()).split('\n').find((line) => line.includes('hostnameOveride'));
    expect(refusal).toMatch(/CONFIG_INVALID.*hostnameOverride|hostnameOverride.*CONFIG_INVALID/);
    expect(await node.status()).toMatchObject({ pid: before?.pid, reloads: before?.reloads, connected: true });
    expect(await siteInCloud()).toBe('north');
  });

  test('a file that is not YAML at all is refused the same way, and the fixed one is applied', async () => {
    const { node } = parts();
    const before = await node.status();
    await node.writeFile('modules: [\n');
    await node.keadm('service', 'reload');
    await vi.waitFor(async () => expect((await node.log()).match(/"Cannot reload/g)).toHaveLength(2), PATIENCE);
    await node.configure({ [LABELS]: { site: 'west' } });
    await node.keadm('service', 'reload');
    await vi.waitFor(async () => expect(await siteInCloud()).toBe('west'), PATIENCE);
    expect((await node.status())?.pid).toBe(before?.pid);
  });
}
