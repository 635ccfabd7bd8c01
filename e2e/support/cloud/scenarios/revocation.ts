import { KINDS } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { TOKEN_SETTING } from '../node-file.ts';
import { PATIENCE, unlimited, untilConnected } from '../patience.ts';
import type { Parts } from './parts.ts';

/** An administrator shuts the node out, and lets it back in. */
export function revocationCases(parts: Parts): void {
  const admin = async (...args: readonly string[]): Promise<string> => {
    const { cloud } = parts();
    return cloud.keadm('node', ...args, '--kubeconfig', cloud.kubeconfig);
  };
  const untilShutOut = async (): Promise<void> =>
    vi.waitFor(async () => {
      const { connected, problem } = (await parts().node.status()) ?? {};
      expect(connected).toBe(false);
      expect(problem?.message).toMatch(/revoked/);
    }, PATIENCE);

  test('a revoked node is shut out, also when its Node object is deleted and the cloud restarts', async () => {
    const { cloud, node } = parts();
    expect(await admin('revoke', node.name, '--dry-run')).toContain('Would revoke');
    await untilConnected(node);
    await admin('revoke', node.name, '--reason', 'stolen');
    await untilShutOut();
    await cloud.api.delete(KINDS.node, { name: node.name }, {}, unlimited());
    await cloud.keadm('cloud', 'restart');
    await node.keadm('service', 'restart');
    await untilShutOut();
    expect(await cloud.api.find(KINDS.node, { name: node.name }, unlimited())).toBeUndefined();
    expect(await admin('list', '--revoked')).toMatch(/absent .*revoked .*: stolen/);
  });

  test('a token that names no node does not let it back in; the one that admits it does', async () => {
    const { cloud, node } = parts();
    await node.configure({ [TOKEN_SETTING]: await cloud.token() });
    await node.keadm('service', 'restart');
    await untilShutOut();
    await node.configure({ [TOKEN_SETTING]: (await admin('admit', node.name)).trim() });
    await node.keadm('service', 'restart');
    await untilConnected(node);
    const registered = async (): Promise<void> =>
      expect(await cloud.api.find(KINDS.node, { name: node.name }, unlimited())).toBeDefined();
    await vi.waitFor(registered, PATIENCE);
    expect(await admin('list', '--revoked')).toContain('re-admitted');
    await node.configure({ [TOKEN_SETTING]: '' });
  });

  test('a node that was revoked by mistake comes back by itself', async () => {
    const { node } = parts();
    await admin('revoke', node.name);
    await untilShutOut();
    await admin('admit', node.name, '--old-certificates');
    await untilConnected(node);
    expect(await admin('list')).toMatch(new RegExp(`^${node.name} .*trusted$`, 'm'));
  });
}
