import { setInYaml, loadEdgecoreConfig } from '@fenestra/contracts';
import { expect, test } from 'vitest';
import { testNode } from '../testing/test-node.ts';
import { refuseOtherIdentity } from './facts.ts';

function change(assignment: string): void {
  const { config } = loadEdgecoreConfig(setInYaml(testNode.configText, [assignment]), 'edgecore.yaml', 'linux');
  refuseOtherIdentity(testNode.config, config);
}

test.each([
  'modules.edged.hostnameOverride=other',
  'modules.edgeHub.websocket.server=10.0.0.9:10000',
  'modules.edgeHub.httpServer=https://10.0.0.9:10002',
])('%s would make it another node', (assignment) => {
  expect(() => change(assignment)).toThrow(
    expect.objectContaining({ code: 'NODE_CONFLICT', hint: expect.stringContaining('--allow-identity-change') }),
  );
});

test('anything else leaves the node what it is', () => {
  expect(() => change('modules.edgeHub.heartbeat=20')).not.toThrow();
});
