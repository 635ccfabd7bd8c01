import { KINDS, stringAt, type ApiKind } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { configMap, podOn, secret } from '../manifests.ts';
import { PATIENCE } from '../patience.ts';
import type { Parts } from './parts.ts';

/** What a pod of the node uses reaches the node, with every change, and goes when it is deleted. */
export function deliveryCases(parts: Parts): void {
  const nameOf = (what: string): string => `${parts().node.name}-${what}`;
  const textAtNode = async (kind: ApiKind): Promise<string> =>
    stringAt(await parts().node.object(kind, nameOf('used')), 'data', 'text');
  const untilBothSay = async (text: string): Promise<void> =>
    vi.waitFor(async () => {
      expect(await textAtNode(KINDS.configMap)).toBe(text);
      expect(await textAtNode(KINDS.secret)).toBe(Buffer.from(text).toString('base64'));
    }, PATIENCE);

  test('a pod bound to the node brings its ConfigMap and Secret', async () => {
    const { cloud, node } = parts();
    const used = nameOf('used');
    const pod = podOn(node.name, nameOf('pod'), { configMaps: [used], secrets: [used] });
    await cloud.apply([configMap(used, 'first'), secret(used, 'first'), pod]);
    await untilBothSay('first');
    await vi.waitFor(async () => expect(await node.object(KINDS.pod, nameOf('pod'))).toBeDefined(), PATIENCE);
  });

  test('changes follow', async () => {
    const used = nameOf('used');
    await parts().cloud.apply([configMap(used, 'second'), secret(used, 'second')]);
    await untilBothSay('second');
  });

  test('what no pod of the node uses stays away', async () => {
    const { cloud, node } = parts();
    await cloud.apply([configMap(nameOf('unused'), 'secret to others'), configMap(nameOf('used'), 'third')]);
    await vi.waitFor(async () => expect(await textAtNode(KINDS.configMap)).toBe('third'), PATIENCE);
    expect(await node.object(KINDS.configMap, nameOf('unused'))).toBeUndefined();
  });

  test('what is deleted in the cloud goes at the node', async () => {
    const { cloud, node } = parts();
    const used = nameOf('used');
    await cloud.remove([podOn(node.name, nameOf('pod'), {}), configMap(used, ''), secret(used, '')]);
    const left = async (): Promise<readonly unknown[]> =>
      Promise.all([
        node.object(KINDS.pod, nameOf('pod')),
        node.object(KINDS.configMap, used),
        node.object(KINDS.secret, used),
      ]);
    await vi.waitFor(async () => expect(await left()).toEqual([undefined, undefined, undefined]), PATIENCE);
    expect((await node.status())?.connected).toBe(true);
  });
}
