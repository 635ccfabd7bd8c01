import { loadEdgecoreConfig, minimalEdgecoreYaml } from '@fenestra/contracts';
import type { JoinedNodeFacts } from '../node/node-facts.ts';
import { joinedAgentService } from '../service-program/agent-service.ts';
import { testLayout } from './test-layout.ts';

const configText = minimalEdgecoreYaml('linux', { hostName: 'node', cloudAddress: '10.0.0.5' });

/** A joined node as it is found on a Linux machine. */
export const testNode: JoinedNodeFacts = {
  joined: true,
  nodeName: 'node',
  certificateFile: '/etc/kubeedge/certs/server.crt',
  service: { state: 'running', pid: 1 },
  spec: joinedAgentService(testLayout).spec,
  foreignService: undefined,
  configText,
  config: loadEdgecoreConfig(configText, 'edgecore.yaml', 'linux').config,
  configProblem: undefined,
  statusFolder: testLayout.stateFolder,
  installedVersion: 'v0.1.0',
  installedSha256: 'old',
  agent: undefined,
  agentKind: 'fenestra',
  host: {
    os: 'linux',
    osName: 'Debian GNU/Linux 12 (bookworm)',
    osVersion: '12',
    build: '6.1.0',
    edition: 'debian',
    arch: 'x64',
    hostName: 'node',
    totalMemoryBytes: 4 * 1024 ** 3,
    freeMemoryBytes: 2 * 1024 ** 3,
    bootId: 'boot',
    elevated: true,
    serviceManager: 'systemd',
    runtimes: [],
    clock: { now: new Date('2026-01-01T00:00:00Z'), synchronized: true },
  },
  leftovers: [],
};
