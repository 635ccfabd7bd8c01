import type { HostFacts } from '@fenestra/platform';
import type { MachineFacts } from '../facts.ts';

const GIBIBYTE = 1024 ** 3;

/** What is found on a machine that has everything and is not a node yet. */
export function readyMachine(host: HostFacts): MachineFacts {
  return {
    host,
    memoryNeeds: { totalBytes: GIBIBYTE / 4, comfortableBytes: 0, freeBytes: GIBIBYTE / 8 },
    space: {
      disk: { path: '/', totalBytes: 100 * GIBIBYTE, freeBytes: 50 * GIBIBYTE },
      neededBytes: GIBIBYTE,
      comfortableBytes: 4 * GIBIBYTE,
    },
    runsPods: true,
    worker: {
      os: 'linux',
      swap: [],
      missingPrograms: [],
      forwarding: true,
      cgroups: 'v2',
      cgroupControllers: ['cpu', 'memory'],
      allowsLowerOomScores: true,
    },
    runtime: { endpoint: 'unix:///c.sock', usable: true, version: 'containerd 1.7.0' },
    details: { cgroupDriver: 'cgroupfs', sandboxImage: { name: 'pause:3.9', isPresent: true } },
    cgroupDriver: 'cgroupfs',
    swapTolerated: true,
    isJoined: false,
    ports: [{ port: 10_550, setting: 'modules.metaManager.metaServer.server', free: true }],
    ownServiceRuns: false,
    agent: { state: 'absent' },
    agentRecovery: undefined,
    guard: { state: 'absent' },
    leftovers: [],
    resetCommand: 'keadm reset',
    bookkeepingRights: undefined,
    nodeRights: [],
    journal: { state: 'clean' },
    lockOwner: undefined,
    madeAt: new Date('2026-01-01'),
  };
}
