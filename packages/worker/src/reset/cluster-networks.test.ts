import { OperatorError } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { judgeNetworks, lookAtNetworks } from './cluster-networks.ts';

const overlay = { id: 'A1', name: 'flannel.4096', type: 'Overlay' };
const bridge = { id: 'B2', name: 'cbr0', type: 'L2Bridge' };
const docker = { id: 'C3', name: 'nat', type: 'nat' };
const hyperV = { id: 'D4', name: 'Default Switch', type: 'ICS' };

test('networks of pods that came since the join go; those that were there before stay, however their ids are written', () => {
  expect(judgeNetworks([overlay, bridge], ['a1']).goes).toEqual([bridge]);
});

test('networks of Docker and Hyper-V stay although they came after the join, and that is told', () => {
  const { goes, kept } = judgeNetworks([overlay, docker, hyperV], []);
  expect(goes).toEqual([overlay]);
  expect(kept.map(({ path }) => path)).toEqual([
    'the container network "nat"',
    'the container network "Default Switch"',
  ]);
});

async function list(): Promise<never> {
  throw new OperatorError('SYSTEM_CALL_FAILED', 'Cannot list it', { hint: 'Start it.' });
}

test('a networking service that does not answer holds no reset up', async () => {
  const found = { networks: [], cniConfigs: [] };
  expect(await lookAtNetworks({ list }, found)).toEqual({
    goes: [],
    kept: [{ path: 'the networks of containers', why: 'Cannot list it' }],
  });
  expect(await lookAtNetworks({ list }, undefined)).toEqual({ goes: [], kept: [] });
});
