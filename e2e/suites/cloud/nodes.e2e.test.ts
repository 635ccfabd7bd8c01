import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MACHINES } from '../../support/machines/keadm-machine.ts';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { offlineCases } from '../../support/cloud/scenarios/offline.ts';
import { wholeLifeCases } from '../../support/cloud/scenarios/whole-life.ts';

const AWAY_SECONDS = 10;
let cloud: Cloud;

beforeAll(async () => {
  cloud = await startEmbeddedCloud();
});
afterAll(async () => cloud.stop());

describe.each(MACHINES)('a cloud with its own Kubernetes API and a node on $title', ({ title, start }) => {
  let node: EdgeNode;

  beforeAll(async () => {
    const machine = await start(unlimited());
    node = await prepareNode(machine.node.name, machine, cloud);
  });
  afterAll(async () => node.stop());

  wholeLifeCases(() => ({ cloud, node }));
  if (title === 'Linux with systemd') offlineCases(() => ({ cloud, node }), AWAY_SECONDS);
});

test('of a cloud that is stopped keadm says that it does not answer, with the exit code for that', async () => {
  await cloud.keadm('cloud', 'stop');
  const { exitCode, stderr } = await cloud.machine.keadm(['gettoken']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 50, stderr: expect.stringMatching(/does not answer[^]*\nHint: /) });
  expect(await cloud.keadm('status')).toMatch(/cloudcore +stopped[^]*unknown: .*does not answer/);
});
