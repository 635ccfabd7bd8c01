import { loadEdgecoreConfig, minimalEdgecoreYaml, setInYaml } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { agentPorts } from './agent-ports.ts';

const host = { hostName: 'press-7', cloudAddress: '127.0.0.1' };

function portsWith(kind: 'fenestra' | 'upstream', ...assignments: readonly string[]): readonly number[] {
  const text = setInYaml(minimalEdgecoreYaml('linux', host), assignments);
  const { config } = loadEdgecoreConfig(text, 'edgecore.yaml', 'linux', host);
  return agentPorts(config, kind).map(({ port }) => port);
}

const META_SERVER = 'modules.metaManager.metaServer';

test('our agent listens on no port unless its local API is enabled', () => {
  expect(portsWith('fenestra')).toEqual([]);
  expect(portsWith('fenestra', `${META_SERVER}.enable=true`)).toEqual([10_550]);
});

test('the port is the one that was set', () => {
  const assignments = [`${META_SERVER}.enable=true`, `${META_SERVER}.server="[::1]:12000"`];
  expect(portsWith('fenestra', ...assignments)).toEqual([12_000]);
});

test("upstream's agent also listens where its kubelet and its buses do", () => {
  expect(portsWith('upstream')).toEqual([10_350]);
  expect(portsWith('upstream', 'modules.edged.tailoredKubeletConfig.readOnlyPort=0')).toEqual([]);
  const buses = ['modules.eventBus.enable=true', 'modules.eventBus.mqttMode=0', 'modules.serviceBus.enable=true'];
  expect(portsWith('upstream', ...buses)).toEqual([10_350, 1884, 9060]);
});
