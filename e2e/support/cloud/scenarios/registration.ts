import { KINDS, listAt, objectAt, stringAt, type KubeObject } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { filesWithToken } from '../files-with-token.ts';
import { TOKEN_SETTING } from '../node-file.ts';
import { PATIENCE, unlimited, untilConnected } from '../patience.ts';
import type { Parts } from './parts.ts';

const LEASES = 'kube-node-lease';

/** The node joins by a good token, registers and shows that it lives. */
export function registrationCases(parts: Parts): void {
  const nodeObject = async (): Promise<KubeObject | undefined> => {
    const { cloud, node } = parts();
    return cloud.api.find(KINDS.node, { name: node.name }, unlimited());
  };
  const readyCondition = async () =>
    listAt(await nodeObject(), 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Ready');
  const renewTime = async (): Promise<string> => {
    const { cloud, node } = parts();
    const lease = await cloud.api.find(KINDS.lease, { namespace: LEASES, name: node.name }, unlimited());
    return stringAt(lease, 'spec', 'renewTime');
  };

  test('with a good token the node joins, without a restart', async () => {
    const { cloud, node } = parts();
    const pid = (await node.status())?.pid;
    const token = await cloud.token();
    await node.configure({ [TOKEN_SETTING]: token });
    // So that the search for it after its use is known to find it.
    expect(await filesWithToken(node.machine, token)).toHaveLength(1);
    await node.keadm('service', 'reload');
    await untilConnected(node);
    expect((await node.status())?.pid).toBe(pid);
  });

  test('the token is blanked in the file once it was used', async () => {
    const { node } = parts();
    const isBlank = /token: ""/;
    await vi.waitFor(async () => expect(await node.readFile()).toMatch(isBlank), PATIENCE);
    await node.configure({ [TOKEN_SETTING]: '' });
    expect(await node.readFile()).toMatch(isBlank);
  });

  test('it registers with what is true of its machine', async () => {
    const { node } = parts();
    await vi.waitFor(async () => expect(await nodeObject()).toBeDefined(), PATIENCE);
    const registered = await nodeObject();
    const facts = objectAt(registered, 'status', 'nodeInfo');
    expect(facts).toMatchObject({
      operatingSystem: node.os,
      architecture: 'amd64',
      kubeletVersion: expect.stringMatching(/^v1\.\d+\.\d+-kubeedge-v\d/),
      osImage: expect.stringMatching(node.os === 'windows' ? /Windows/ : /Debian/),
    });
    expect(registered?.metadata.labels).toMatchObject({
      'kubernetes.io/os': node.os,
      'kubernetes.io/hostname': node.name,
      'node-role.kubernetes.io/edge': '',
    });
    expect(objectAt(registered, 'status', 'capacity')).toMatchObject({ cpu: expect.stringMatching(/^\d+$/) });
  });

  test('without a container runtime it is not ready, and says why', async () => {
    const message = expect.stringContaining('container runtime is down');
    await vi.waitFor(
      async () => expect(await readyCondition()).toMatchObject({ status: 'False', reason: 'KubeletNotReady', message }),
      PATIENCE,
    );
  });

  test('it renews its lease', async () => {
    await vi.waitFor(async () => expect(await renewTime()).not.toBe(''), PATIENCE);
    const before = await renewTime();
    await vi.waitFor(async () => expect((await renewTime()) > before).toBe(true), PATIENCE);
  });
}
