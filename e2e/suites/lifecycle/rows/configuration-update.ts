import { KINDS, stringAt } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { PATIENCE, unlimited, untilConnected } from '../../../support/cloud/patience.ts';
import { pathOn } from '../../../support/machines/keadm-machine.ts';
import { writeConfigFile } from '../../../support/lifecycle/administrator.ts';
import { ask, AT_ONCE } from '../../../support/lifecycle/answer.ts';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';

const LABELS = 'modules.edged.nodeLabels';

/** "EdgeCore configuration update": by reload where that is enough, by restart where it is not, never by halves. */
export function configurationUpdate(parts: LifeParts): void {
  const apply = async (file: string): ReturnType<typeof ask> =>
    ask(parts().node.machine, ['upgrade', '--config', file, ...AT_ONCE]);
  const siteInCloud = async (): Promise<string> => {
    const { cloud, node } = parts();
    return stringAt(await cloud.api.get(KINDS.node, { name: node.name }, unlimited()), 'metadata', 'labels', 'site');
  };

  test('EdgeCore configuration update: new configuration applied without a restart', async () => {
    const { node } = parts();
    const before = await node.status();
    const file = await writeConfigFile(node, 'new_config.yaml', { [LABELS]: { site: 'north' } });
    expect(await apply(file)).toMatchObject({ exitCode: 0, outcome: 'applied' });
    await vi.waitFor(async () => expect(await siteInCloud()).toBe('north'), PATIENCE);
    expect(await node.status()).toMatchObject({ pid: before?.pid, connected: true });
  });

  test('EdgeCore configuration update: a bad file is refused with its line, and nothing changes', async () => {
    const { node } = parts();
    const before = await node.readFile();
    const file = await writeConfigFile(node, 'bad_config.yaml', { 'modules.edgeHub.heartbeet': 3 });
    const { exitCode, error } = await apply(file);
    expect({ exitCode, error }).toEqual({ exitCode: 60, error: expect.objectContaining({ code: 'CONFIG_INVALID' }) });
    expect(error?.message).toMatch(/bad_config\.yaml:\d+/);
    expect(await node.readFile()).toBe(before);
  });

  test('EdgeCore configuration update: where a key needs it, EdgeCore service restarted with updated config', async () => {
    const { node } = parts();
    const before = await node.status();
    const dataSource = pathOn(node.machine, node.machine.paths.stateFolder, 'second.db');
    const file = await writeConfigFile(node, 'restart_config.yaml', { 'database.dataSource': dataSource });
    const { exitCode, said } = await apply(file);
    expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining('database.dataSource') });
    await untilConnected(node);
    expect((await node.status())?.pid).not.toBe(before?.pid);
  });
}
