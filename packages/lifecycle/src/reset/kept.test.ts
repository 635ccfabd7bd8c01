import { RECOVERY_POLICY, type ServiceSpec } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { refuseForeign } from './kept.ts';

const spec = (executable: string): ServiceSpec => ({
  name: 'edgecore',
  displayName: 'd',
  description: 'd',
  executable,
  args: [],
  startType: 'automatic',
  dependencies: [],
  recovery: RECOVERY_POLICY,
  writableFolders: [],
});
const layout = { agentExecutable: '/usr/local/bin/edgecore' };
const services = { commandLine: () => 'systemctl status edgecore' };

test.each(['/usr/local/bin/edgecore', '/opt/edgecore.exe', '/tools/nssm.exe'])('%s may be an agent', (path) => {
  expect(() => refuseForeign(spec(path), layout, services)).not.toThrow();
});

test('a service that runs something else is left alone, with all the rest', () => {
  expect(() => refuseForeign(spec('/usr/bin/python3'), layout, services)).toThrow(
    expect.objectContaining({ code: 'SERVICE_CONFLICT', hint: expect.stringContaining('systemctl status edgecore') }),
  );
});
