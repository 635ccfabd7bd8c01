import type { HostFacts } from '@fenestra/platform';
import type { CheckFacts } from '../facts.ts';

const GIBIBYTE = 1024 ** 3;

/** What is found on a machine that has everything and is no node yet. */
export function readyMachine(host: HostFacts): CheckFacts {
  return {
    host,
    disk: { path: '/', totalBytes: 100 * GIBIBYTE, freeBytes: 50 * GIBIBYTE },
    runtime: { endpoint: 'unix:///c.sock', usable: true, version: 'containerd 1.7.0' },
    agentPorts: [{ port: 10_550, setting: 'modules.metaManager.metaServer.server', free: true }],
    agent: { state: 'absent' },
    agentRecovery: undefined,
    guard: { state: 'absent' },
    leftovers: [],
    bookkeepingRights: undefined,
    nodeRights: [],
    journal: { state: 'clean' },
    lockOwner: undefined,
    commitTime: new Date('2026-01-01'),
  };
}
