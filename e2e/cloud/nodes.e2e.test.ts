import { afterAll, beforeAll, describe } from 'vitest';
import { MACHINES } from '../machines/keadm-machine.ts';
import { type Cloud, startEmbeddedCloud } from './cloud.ts';
import { type EdgeNode, prepareNode } from './edge-node.ts';
import { unlimited } from './patience.ts';
import { offlineCases } from './scenarios/offline.ts';
import { wholeLifeCases } from './scenarios/whole-life.ts';

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
  // Where the service manager is the machine's own, and starts what was stopped by nobody.
  if (title === 'Linux with systemd') offlineCases(() => ({ cloud, node }), AWAY_SECONDS);
});
