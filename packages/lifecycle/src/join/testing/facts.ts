import { edgecoreDefaults } from '@fenestra/contracts';
import type { HostFacts } from '@fenestra/platform';
import { certificatePaths, footprintOf } from '../../node/node-files.ts';
import { joinedAgentService } from '../../service-program/agent-service.ts';
import { testLayout as layout } from '../../testing/test-layout.ts';
import type { JoinFacts } from '../join-facts.ts';
import type { JoinWishes } from '../join-wishes.ts';

/** A machine that can be a node. */
export const host: HostFacts = {
  os: 'linux',
  osName: 'Debian GNU/Linux 12 (bookworm)',
  osVersion: '12',
  build: '6.1.0-18-amd64',
  edition: 'debian',
  arch: 'x64',
  hostName: 'Press-7',
  totalMemoryBytes: 4 * 1024 ** 3,
  freeMemoryBytes: 2 * 1024 ** 3,
  bootId: 'b',
  elevated: true,
  serviceManager: 'systemd',
  runtimes: [{ runtime: 'containerd', endpoint: 'unix:///run/containerd/containerd.sock' }],
  clock: { now: new Date('2030-01-01'), synchronized: true },
};

/** The least an operator says. */
export const wishes: JoinWishes = {
  cloud: { host: '10.0.0.5', hubPort: undefined, certificatePort: undefined },
  nodeName: undefined,
  labels: {},
  runtimeEndpoint: undefined,
  cgroupDriver: undefined,
  restartDelaysSeconds: undefined,
  configuration: undefined,
  assignments: [],
  token: undefined,
  program: { path: '/keadm', version: '0.1.0', madeAt: new Date('2026-01-01') },
  release: undefined,
  version: undefined,
  waived: [],
  limitSeconds: 120,
  settleSeconds: 5,
};

/** A machine on which nothing was done yet. */
export const bare: JoinFacts = {
  nodeName: 'press-7',
  cloud: 'https://10.0.0.5:10002',
  layout,
  footprint: footprintOf(layout, edgecoreDefaults('linux')),
  certificates: certificatePaths(edgecoreDefaults('linux')),
  singleUseToken: false,
  statusFolder: '/var/lib/kubeedge',
  known: false,
  program: { from: 'keadm', path: '/keadm', sha256: 'new', version: 'v0.1.0' },
  agentKind: 'fenestra',
  installedSha256: undefined,
  installedVersion: undefined,
  programFolderMissing: false,
  configurationSha256: 'configuration-digest',
  strangeConfigurationSha256: undefined,
  tokenSha256: 'token-digest',
  oldTokenSha256: undefined,
  oldVersionSha256: undefined,
  spec: joinedAgentService(layout).spec,
  service: { state: 'absent' },
  registered: false,
  healthy: false,
  limitSeconds: 120,
  settleSeconds: 5,
};

/** A node that has joined and works. */
export const joined: JoinFacts = {
  ...bare,
  known: true,
  installedSha256: 'old',
  installedVersion: 'v0.0.9',
  tokenSha256: undefined,
  service: { state: 'running', pid: 1 },
  healthy: true,
};
